# Components as processes: started in the rig's own control group, known by process id and start time.
# shellcheck shell=bash

# The control group hierarchies of this machine, one a line (one only with cgroup v2).
hierarchies() { awk '$3 == "cgroup" || $3 == "cgroup2" {print $2}' /proc/mounts | sort -u; }

# The hierarchy whose groups tell which processes are the rig's.
roster() {
  local found
  found=$(awk '$3 == "cgroup" && $4 ~ /(^|,)pids(,|$)/ {print $2; exit}' /proc/mounts)
  [ -n "$found" ] || found=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/mounts)
  echo "$found"
}

make_control_groups() {
  local top
  while read -r top; do
    mkdir -p "$top/$CGROUP"
    if [ -e "$top/cpuset.cpus" ] && [ -z "$(<"$top/$CGROUP/cpuset.cpus")" ]; then
      cat "$top/cpuset.cpus" >"$top/$CGROUP/cpuset.cpus"
      cat "$top/cpuset.mems" >"$top/$CGROUP/cpuset.mems"
    fi
  done < <(hierarchies)
  # Version 2 hands controllers down by name; where version 1 has them, there is nothing to hand.
  if [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ]; then
    for top in /sys/fs/cgroup "/sys/fs/cgroup/$CGROUP"; do
      echo '+cpu +cpuset +memory +pids' >"$top/cgroup.subtree_control" || true
    done
  fi
  mkdir -p "$(roster)/$CGROUP/daemons"
}

remove_control_groups() {
  local top
  for _ in $(seq 50); do
    while read -r top; do
      [ -d "$top/$CGROUP" ] || continue
      find "$top/$CGROUP" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done < <(hierarchies)
    control_groups_left >/dev/null || return 0
    sleep 0.1
  done
  return 1
}

control_groups_left() {
  local top
  while read -r top; do
    if [ -d "$top/$CGROUP" ]; then
      echo "$top/$CGROUP"
      return 0
    fi
  done < <(hierarchies)
  return 1
}

# Every process in the rig's control groups: daemons, shims, containers.
rig_processes() {
  local top
  top=$(roster)
  [ -d "$top/$CGROUP" ] || return 0
  find "$top/$CGROUP" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -un
}

# started_at PID: when, in the kernel's ticks; nothing for a process that is dead, though not yet collected.
started_at() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '$1 != "Z" && $1 != "X" {print $20}'; }

# start NAME COMMAND...: in the background, its output in DIR/logs/NAME.log.
start() {
  local name=$1
  shift
  (
    echo "$BASHPID" >"$(roster)/$CGROUP/daemons/cgroup.procs"
    exec setsid "$@" >>"$DIR/logs/$name.log" 2>&1 </dev/null 9>&-
  ) &
  echo "$! $(started_at $!)" >"$DIR/pids/$name"
  disown
}

alive() {
  local pid since
  [ -r "$DIR/pids/$1" ] || return 1
  read -r pid since <"$DIR/pids/$1"
  [ -n "$since" ] && [ "$(started_at "$pid")" = "$since" ]
}

# stop NAME: that component alone, which then counts no longer.
stop() {
  local pid
  if alive "$1"; then
    read -r pid _ <"$DIR/pids/$1"
    kill -KILL "$pid"
  fi
  rm -f "$DIR/pids/$1"
}

components() { ls "$DIR/pids" 2>/dev/null || true; }

# True while every started component lives; names the first that died.
watch_alive() {
  local name
  for name in $(components); do
    if ! alive "$name"; then
      say "$name has ended; its last words:"
      tail -n 15 "$DIR/logs/$name.log" >&2
      return 1
    fi
  done
}

kill_all() {
  local pids
  for _ in $(seq 100); do
    pids=$(rig_processes)
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086
    kill -KILL $pids 2>/dev/null || true
    sleep 0.05
  done
  return 1
}
