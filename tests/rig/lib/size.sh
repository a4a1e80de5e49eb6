# What the components are given for the number of pods that the rig is to carry.
# shellcheck shell=bash disable=SC2034

case $SIZE in
  small)
    ETCD_SIZE=()
    APISERVER_SIZE=()
    CONTROLLERS_SIZE=(--kube-api-qps 200 --kube-api-burst 400)
    ;;
  large)
    # There is more memory than time for its collection, but not without end: of 8,000 TrainingJobs with all their pods
    # the API server keeps 3 GB, and as much again of what it has just sent.
    export GOGC=200 GOMEMLIMIT=10GiB
    # Every version of tens of thousands of pods is kept until it is compacted.
    ETCD_SIZE=(--quota-backend-bytes 8589934592)
    APISERVER_SIZE=(--etcd-compaction-interval 1m --max-requests-inflight 1600 --max-mutating-requests-inflight 800)
    # Jobs make their pods, and deleted TrainingJobs take their children along, side by side.
    CONTROLLERS_SIZE=(--kube-api-qps 5000 --kube-api-burst 10000 --concurrent-job-syncs 32 --concurrent-gc-syncs 64)
    ;;
  *) die "SLAQ_RIG_SIZE must be small or large, not $SIZE" 2 ;;
esac
readonly ETCD_SIZE APISERVER_SIZE CONTROLLERS_SIZE
