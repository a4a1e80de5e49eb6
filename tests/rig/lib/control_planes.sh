# API servers, controller managers and schedulers of other versions of Kubernetes, for `make test-kubernetes`.
# shellcheck shell=bash

readonly CONTROL_PLANE='kube-apiserver kube-controller-manager kube-scheduler'

# control_plane VERSION: prints a folder for KUBEBUILDER_ASSETS, with these programs of that version, and the rig's own beside
# them. Builds it once.
control_plane() {
  local version=${1:-}
  version=v${version#v}
  [[ $version =~ ^v1\.[0-9]+\.[0-9]+$ ]] ||
    die "'${1:-}' is no version of Kubernetes; write all three numbers, such as ${KUBERNETES#v}" 2
  local own folder=$CACHE/control-planes/$version
  own=$(KUBEBUILDER_ASSETS='' binaries)
  [ "$version" != "$KUBERNETES" ] || { echo "$own"; return; }
  has_control_plane "$folder" || locked "control-plane-$version" build_control_plane "$version" "$folder"
  link_other_programs "$own" "$folder"
  echo "$folder"
}

has_control_plane() {
  local program
  for program in $CONTROL_PLANE; do
    [ -x "$1/$program" ] && [ ! -L "$1/$program" ] || return 1
  done
}

build_control_plane() {
  local version=$1 folder=$2
  local sources=$folder.sources packages
  has_control_plane "$folder" && return
  mkdir -p "${folder%/*}"
  write_control_plane_module "$version" "$sources"
  read -ra packages <<<"$CONTROL_PLANE"
  build_module "the control plane of Kubernetes $version" "$sources" "$folder.building" -ldflags "$(stamp "$version")" \
    "${packages[@]/#/k8s.io/kubernetes/cmd/}"
  rm -rf "$sources"
  keep_build "$folder.building" "$folder"
}

# Kubernetes takes its libraries from folders of its own repository. Whoever builds it as a module takes their releases,
# v0.37.2 for v1.37.2.
write_control_plane_module() {
  local version=$1 sources=$2 answer kubernetes
  rm -rf "$sources"
  mkdir -p "$sources"
  answer=$(GOWORK=off "$RETRY" go mod download -json "k8s.io/kubernetes@$version") ||
    die "the sources of Kubernetes $version could not be downloaded: $(sed -n 's/.*"Error": "\(.*\)".*/\1/p' <<<"$answer")"
  kubernetes=$(sed -n 's/.*"GoMod": "\(.*\)".*/\1/p' <<<"$answer")
  {
    printf 'package rig\n\nimport (\n'
    # shellcheck disable=SC2086
    printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' $CONTROL_PLANE
    echo ')'
  } >"$sources/programs.go"
  {
    printf 'module slaq.io/rig/control-plane\n\n%s\n\nrequire k8s.io/kubernetes %s\n\n' "$(grep '^go ' "$kubernetes")" "$version"
    sed -n 's|^[[:space:]]*\(replace \)\{0,1\}\(k8s.io/[^ ]*\) => ./staging/.*|replace \2 => \2 v0.'"${version#v1.}"'|p' "$kubernetes"
  } >"$sources/go.mod"
  (cd "$sources" && GOTOOLCHAIN=local GOWORK=off GOFLAGS=-mod=mod "$RETRY" go mod tidy >"$sources/tidy.log" 2>&1) ||
    die "the modules of Kubernetes $version could not be resolved: $(tail -n 1 "$sources/tidy.log")"
}

link_other_programs() {
  local program
  for program in $PROGRAMS; do
    case " $CONTROL_PLANE " in *" $program "*) ;; *) ln -sf "$1/$program" "$2/$program" ;; esac
  done
}
