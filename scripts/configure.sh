# SPDX-License-Identifier: MIT
# For scripts that set up builds.
# configure DIR OPTION...: set up a build folder, or set its options again where they are others than the
# last time. CXX and CC choose. A cross file comes first.
configure() {
  local dir=$1 chosen
  shift
  chosen=$(printf '%s\n' "${CC:-}" "${CXX:-}" "$@")
  if [ -f "$dir/meson-private/build.dat" ]; then
    [ "$chosen" != "$(cat "$dir/dev-options" 2>/dev/null)" ] || return 0
    [ "$1" != --cross-file ] || shift 2  # Meson takes it once.
    meson configure "$dir" "$@"
  else
    # What a set-up that failed left. Anything else is not ours to delete.
    if [ -n "$(ls -A "$dir" 2>/dev/null)" ] && [ ! -d "$dir/meson-private" ]; then
      echo "$dir is there, and no build folder: move it, or name another one" >&2
      return 1
    fi
    rm -rf "$dir"
    meson setup "$dir" "$@"
  fi
  printf '%s\n' "$chosen" >"$dir/dev-options"
}
