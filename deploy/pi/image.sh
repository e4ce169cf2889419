#!/bin/sh
# Makes a card image with the gateway on it, of an image of Raspberry Pi OS Lite that is here already. It needs no network: dpkg of this
# machine installs the package into it. Triggers of the image wait for the next run of dpkg on the Pi, so no program of the image runs here.
# An older version of the package in it is the exception: dpkg runs its scripts. Such an image must be trusted.
set -eu

usage() {
  cat << 'END'
Usage: sudo sh image.sh IMAGE PACKAGE... --to FILE [--enrol FILE]

Copies IMAGE (.img or .img.xz) to the file of --to and installs the packages into the copy.

  PACKAGE          callgate-gateway_..._arm64.deb, and what it needs that the image lacks, such as libatomic1_..._arm64.deb
  --to FILE        the new image
  --enrol FILE     callgate-gateway.yaml of the dashboard, with the lines for the Wi-Fi where it is needed: the gateway sets its
                   network up and enrols itself by it at its first start
END
}

fail() {
  echo "$1" >&2
  exit 1
}

image='' packages='' to='' enrol=''
[ $# -gt 0 ] || { usage >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
    --help) usage; exit 0 ;;
    --to | --enrol)
      [ $# -gt 1 ] || fail "$1 needs a value."
      case $1 in --to) to=$2 ;; --enrol) enrol=$2 ;; esac
      shift
      ;;
    -*) fail "There is no option $1: see --help." ;;
    *.deb) packages="$packages
$1" ;;
    *) [ -z "$image" ] || fail "$1 is one image too many."; image=$1 ;;
  esac
  shift
done
[ -f "$image" ] || fail 'Name the image of Raspberry Pi OS Lite.'
[ -n "$packages" ] || fail 'Name the package of the gateway.'
[ -n "$to" ] || fail 'Name the new image by --to.'
[ -z "$enrol" ] || [ -f "$enrol" ] || fail "There is no $enrol."
[ "$(id -u)" = 0 ] || fail 'Only root can mount the image: sudo sh image.sh …'
for tool in dpkg sfdisk partx losetup e2fsck resize2fs mcopy; do
  command -v "$tool" > /dev/null || fail "This machine lacks $tool: apt install dpkg fdisk mount e2fsprogs mtools"
done

mounted=$(mktemp -d)
device=''
draft="$to.draft"
clean() {
  umount -q "$mounted" 2> /dev/null || true
  [ -z "$device" ] || losetup --detach "$device" || true
  rmdir "$mounted" 2> /dev/null || true
  rm -f "$draft" "$to.log"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo '1/4 copying the image'
rm -f "$draft"
# Where the image will hold a secret, it is for root alone from the beginning; the copy below keeps that.
[ -z "$enrol" ] || (umask 077 && : > "$draft")
case $image in
  *.xz) xz -dc "$image" > "$draft" ;;
  *) cp --sparse=always "$image" "$draft" ;;
esac
# Room for the package, at the end of the last partition.
truncate -s +300M "$draft"
echo ', +' | sfdisk --quiet --no-reread -N 2 "$draft"

# Where a partition begins, and its length, in bytes.
place() {
  partx --show --noheadings --output START,SECTORS --nr "$1" "$draft" |
    { read -r start sectors && echo "$((start * 512)) $((sectors * 512))"; }
}
set -- $(place 1) $(place 2)
[ $# -eq 4 ] || fail 'The image has other partitions than Raspberry Pi OS: one for the boot files, and one for the system.'

echo '2/4 making room'
device=$(losetup --find --show --offset "$3" --sizelimit "$4" "$draft")
e2fsck -fp "$device" > /dev/null || [ $? -le 1 ] || fail 'The system in the image is damaged.'
resize2fs "$device" > /dev/null 2>&1
mount "$device" "$mounted"
[ -d "$mounted/boot/firmware" ] || fail 'This is no Raspberry Pi OS bookworm or newer: it has no /boot/firmware.'

echo '3/4 installing the packages'
# dpkg would look the users of these overrides up on this machine, which may not have them. None of them is for a file of the packages.
overrides="$mounted/var/lib/dpkg/statoverride"
[ ! -e "$overrides" ] || mv "$overrides" "$overrides.aside"
echo "$packages" | sed 1d | tr '\n' '\0' |
  DEBIAN_FRONTEND=noninteractive xargs -0 dpkg --root="$mounted" --force-script-chrootless --no-triggers --install > "$to.log" 2>&1 ||
  { cat "$to.log" >&2; fail 'The packages cannot be installed into this image.'; }
[ ! -e "$overrides.aside" ] || mv "$overrides.aside" "$overrides"

echo '4/4 writing what this gateway needs'
if [ -n "$enrol" ]; then mcopy -o -i "$draft@@$1" "$enrol" ::callgate-gateway.yaml; fi
umount "$mounted"
mv "$draft" "$to"
echo "$to: write it to a card with Raspberry Pi Imager."
