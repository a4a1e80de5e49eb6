# Taking the cluster away, and seeing that nothing of it is left.
# shellcheck shell=bash

down() {
  local left
  one_at_a_time
  if ! leftovers >/dev/null; then
    say "no rig in $DIR"
    return 0
  fi
  take_down
  if left=$(leftovers); then die "$left could not be removed"; fi
  say 'down; nothing is left'
}

# All that a rig keeps is disposable, so nothing is asked to end: it is ended.
take_down() {
  kill_all || say "these processes do not end: $(rig_processes | tr '\n' ' ')"
  unmount_all
  remove_network
  restore_machine
  remove_control_groups || true
  [ ! -e "$DIR/mode" ] || rm -rf "$DIR"
}

# Innermost first.
unmount_all() {
  local point
  while read -r point; do
    umount "$point" 2>/dev/null || umount -l "$point" 2>/dev/null || true
  done < <(mounts_left | sort -r)
}

mounts_left() { awk -v under="$DIR/" 'index($2, under) == 1 {print $2}' /proc/mounts; }

restore_machine() {
  local folder
  if [ -s "$DIR/saved/sysctls" ]; then
    sysctl -q -e -p "$DIR/saved/sysctls" >/dev/null 2>&1 || true
  fi
  if [ -r "$DIR/saved/absent" ]; then
    while read -r folder; do
      rm -rf "$folder"
    done <"$DIR/saved/absent"
  fi
  if [ -d /var/log/containers ]; then find /var/log/containers -lname "$DIR/*" -delete; fi
  rm -f /var/lib/cni/results/"$CGROUP"-* 2>/dev/null || true
}

# Prints the first trace of a rig; fails when there is none.
leftovers() {
  local found
  found=$(rig_processes | tr '\n' ' ')
  if [ -n "$found" ]; then echo "the processes $found"; return; fi
  found=$(mounts_left | tail -n 1)
  if [ -n "$found" ]; then echo "the mount $found"; return; fi
  if control_groups_left; then return; fi
  if [ -e "$DIR/mode" ]; then echo "the folder $DIR"; return; fi
  if network_is_ours; then echo "the bridge $BRIDGE"; return; fi
  return 1
}
