# shellcheck shell=bash
# Sourced by the scripts that build large things for the tests: where they are kept, and when they are still good.

cache=${SOLOIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/soloist}
mkdir -p "$cache"

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

fail() {
  say "$*"
  exit 1
}

# fingerprint PATH...: a short hash over the names and contents of all files below the paths.
fingerprint() {
  find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16
}

# only_once NAME: holds a lock until the script ends, so that two runs do not build the same thing.
only_once() {
  exec 9>"$cache/$1.lock"
  flock 9
}

# image_has IMAGE FINGERPRINT: whether the image was built from inputs with this fingerprint.
image_has() {
  [[ $(docker image inspect --format '{{index .Config.Labels "dev.soloist.inputs"}}' "$1" 2>/dev/null) == "$2" ]]
}

# build_image LOG ARGUMENT...: the host's network spares the build the bridge's name resolution.
build_image() {
  local log=$cache/$1.log
  shift
  DOCKER_BUILDKIT=0 docker build --network host "$@" &>"$log" 9>&- || {
    tail -n 40 "$log" >&2
    fail "docker build failed"
  }
}
