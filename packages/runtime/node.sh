#!/bin/sh
# Runs Node for the scripts: the one that CALLGATE_NODE names, else the pinned one, else the first on the PATH that is new
# enough. The pinned one comes as a package for Linux on x64 and arm64. It does not run with musl instead of glibc.

# The caller is a link that pnpm makes. It lets every program find packages that it does not declare.
unset NODE_PATH

if [ -n "$CALLGATE_NODE" ]; then exec "$CALLGATE_NODE" "$@"; fi

folder=$(dirname "$0")
for node in "$folder"/node_modules/node-linux-*/bin/node; do
  if [ -x "$node" ] && "$node" --version > /dev/null 2>&1; then exec "$node" "$@"; fi
done

found=none
IFS=:
for place in $PATH; do
  case "$place" in */node_modules/.bin) continue ;; esac
  [ -x "$place/node" ] || continue
  found=$("$place/node" --version)
  case "$found" in v2[2-6].*) exec "$place/node" "$@" ;; esac
done

echo "Callgate needs Node 22 to 26; the PATH has $found. Install one, or name it by CALLGATE_NODE=/path/to/node." >&2
exit 1
