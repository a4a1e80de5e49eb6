# What the rig says: progress on standard error, errors in one sentence.
# shellcheck shell=bash

say() { printf 'rig: %s\n' "$*" >&2; }

# die SENTENCE [EXIT CODE]
die() {
  say "$1"
  exit "${2:-1}"
}

# wait_for WHAT COMMAND...: until the command succeeds; fails after PATIENCE seconds, or once watch_alive does.
wait_for() {
  local what=$1 started=$SECONDS told=$SECONDS
  shift
  until "$@" >/dev/null 2>&1; do
    watch_alive || return 1
    if ((SECONDS - started >= PATIENCE)); then
      say "$what: not after $PATIENCE s"
      return 1
    fi
    if ((SECONDS - told >= 5)); then
      say "waiting for $what ($((SECONDS - started)) s)"
      told=$SECONDS
    fi
    sleep 0.2
  done
}

# render FILE: the file with every @NAME@ replaced by the variable of that name.
render() {
  local text name
  text=$(<"$1")
  while [[ $text =~ @([A-Z_]+)@ ]]; do
    name=${BASH_REMATCH[1]}
    text=${text//"@$name@"/${!name}}
  done
  printf '%s\n' "$text"
}
