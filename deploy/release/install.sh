#!/bin/sh
# Installs the package of the gateway from a repository for apt, and enrols the gateway. It takes only what the release key below has
# signed, whoever serves the repository. As root:
#   sh install.sh REPOSITORY [what "callgate-gateway enrol" takes: CODE --cloud ADDRESS]
set -eu

if [ $# -eq 0 ] || [ "$(id -u)" != 0 ]; then
  echo 'Usage, as root: sh install.sh REPOSITORY [CODE --cloud ADDRESS]' >&2
  exit 1
fi
repository=$1
shift

# The repository is a source of this one installation: nothing of it stays in /etc/apt, even where the power is cut. So no later
# upgrade of the system takes a program from there.
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
chmod 755 "$sources"
eval "$(apt-config shell others Dir::Etc::SourceParts/d)"
for file in "$others"*; do
  if [ -f "$file" ]; then cp "$file" "$sources"; fi
done
cat > "$sources/callgate.sources" << END
Types: deb
URIs: $repository
Suites: /
Signed-By:
@release-key@
END

apt-get --quiet -o Dir::Etc::SourceParts="$sources" update
apt-get --quiet --yes -o Dir::Etc::SourceParts="$sources" install callgate-gateway

if [ $# -gt 0 ]; then callgate-gateway enrol "$@"; fi
