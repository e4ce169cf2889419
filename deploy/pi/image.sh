#!/bin/sh
# Makes a card image with the gateway on it, of an image of Raspberry Pi OS Lite that is here already. It needs no network: dpkg of this
# machine installs the package into it. Triggers of the image wait for the next run of dpkg on the Pi, so no program of the image runs here.
# An older version of the package in it is the exception: dpkg runs its scripts. Such an image must be trusted.
set -eu

usage() {
  cat << 'END'
Usage: sudo sh image.sh IMAGE PACKAGE... --to FILE [--enrol FILE] [--wifi NAME --country RO]

Copies IMAGE (.img or .img.xz) to the file of --to and installs the packages into the copy.

  PACKAGE          callgate-gateway_..._arm64.deb, and what it needs that the image lacks, such as libatomic1_..._arm64.deb
  --to FILE        the new image
  --enrol FILE     callgate-gateway.yaml of the dashboard: the gateway enrols itself by it at its first start
  --wifi NAME      the Wi-Fi that the gateway uses; its password is read from the input
  --country CODE   the country whose rules the Wi-Fi follows, in two letters
END
}

fail() {
  echo "$1" >&2
  exit 1
}

image='' packages='' to='' enrol='' wifi='' country=''
[ $# -gt 0 ] || { usage >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
    --help) usage; exit 0 ;;
    --to | --enrol | --wifi | --country)
      [ $# -gt 1 ] || fail "$1 needs a value."
      case $1 in --to) to=$2 ;; --enrol) enrol=$2 ;; --wifi) wifi=$2 ;; --country) country=$2 ;; esac
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
case $country in [A-Z][A-Z]) ;; '') [ -z "$wifi" ] || fail 'A Wi-Fi needs --country.' ;; *) fail '--country has two capital letters.' ;; esac
[ "$(id -u)" = 0 ] || fail 'Only root can mount the image: sudo sh image.sh …'
for tool in dpkg sfdisk partx losetup e2fsck resize2fs mcopy; do
  command -v "$tool" > /dev/null || fail "This machine lacks $tool: apt install dpkg fdisk mount e2fsprogs mtools"
done

password=''
if [ -n "$wifi" ]; then
  [ ! -t 0 ] || printf 'The password of %s: ' "$wifi" >&2
  IFS= read -r password || true
  [ "${#password}" -ge 8 ] || fail 'The password of a Wi-Fi has 8 characters or more.'
fi

mounted=$(mktemp -d)
device=''
draft="$to.draft"
clean() {
  umount -q "$mounted" 2> /dev/null || true
  [ -z "$device" ] || losetup --detach "$device" || true
  rmdir "$mounted" 2> /dev/null || true
  rm -f "$draft" "$to.log" "$to.cmdline"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo '1/4 copying the image'
rm -f "$draft"
# Where the image will hold a secret, it is for root alone from the beginning; the copy below keeps that.
[ -z "$wifi$enrol" ] || (umask 077 && : > "$draft")
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
echo "$packages" | sed 1d | tr '\n' '\0' |
  DEBIAN_FRONTEND=noninteractive xargs -0 dpkg --root="$mounted" --force-script-chrootless --no-triggers --install > "$to.log" 2>&1 ||
  { cat "$to.log" >&2; fail 'The packages cannot be installed into this image.'; }

echo '4/4 writing what this gateway needs'
boot="$draft@@$1"
if [ -n "$enrol" ]; then mcopy -o -i "$boot" "$enrol" ::callgate-gateway.yaml; fi
if [ -n "$wifi" ]; then
  # A key file of NetworkManager, nm-settings-keyfile(5): a backslash and a leading space are written in another way.
  value() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/^ /\\s/'; }
  file="$mounted/etc/NetworkManager/system-connections/callgate.nmconnection"
  mkdir -p "${file%/*}"
  (
    umask 077
    printf '[connection]\nid=callgate\ntype=wifi\n\n[wifi]\nmode=infrastructure\nssid=%s\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=%s\n' \
      "$(value "$wifi")" "$(value "$password")" > "$file"
  )
  # Raspberry Pi OS keeps the Wi-Fi switched off until it knows the country.
  mcopy -n -i "$boot" ::cmdline.txt "$to.cmdline"
  sed -i "1s/\$/ cfg80211.ieee80211_regdom=$country/" "$to.cmdline"
  mcopy -o -i "$boot" "$to.cmdline" ::cmdline.txt
  rm -f "$to.cmdline"
fi
umount "$mounted"
mv "$draft" "$to"
echo "$to: write it to a card with Raspberry Pi Imager, without its own settings for the Wi-Fi."
