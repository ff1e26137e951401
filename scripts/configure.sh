# SPDX-License-Identifier: MIT
# For scripts that set up builds.
# configure DIR OPTION...: set up a build folder, or set its options again where they are others than the
# last time. A cross file comes first. CC, CXX, CC_LD and CXX_LD choose; Meson looks at them once, and with
# others than the last time the folder begins anew.
configure() {
  local dir=$1 chosen compilers linkers
  shift
  compilers=$(printf '%s\n' "${CC:-}" "${CXX:-}") linkers=$(printf '%s\n' "${CC_LD:-}" "${CXX_LD:-}")
  if [ -f "$dir/dev-options" ] && [ "$compilers" != "$(head -n 2 "$dir/dev-options")" ]; then
    rm -rf "$dir"
  elif [ -f "$dir/dev-linkers" ] && [ "$linkers" != "$(cat "$dir/dev-linkers")" ]; then
    rm -rf "$dir"
  fi
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
  printf '%s\n' "$linkers" >"$dir/dev-linkers"
  printf '%s\n' "$chosen" >"$dir/dev-options"
}
