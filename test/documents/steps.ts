// The steps of a walk through the pages of `deploy` for each block: where it runs, the replacements for what a root does not
// have, and what cannot run there.

import type { Block } from './blocks.ts'

/** Where a block is typed. */
export type StepLocation = 'checkout' | 'machine'

export interface Step {
  /** The beginning of the block. */
  readonly begins: string
  readonly place?: StepLocation
  /** Why the block is not run. */
  readonly without?: string
  /** The file that a person writes the block into. */
  readonly file?: string
  /** The actions of a person before it, by the sentences of the page. */
  readonly before?: string
  /** What the person answers to questions of its commands; otherwise yes to each. */
  readonly input?: string | undefined
  /** The conditions that must hold afterwards. */
  readonly holds?: string
}

/** A command inside a sentence of the page. It is typed after the blocks of the page. */
export interface Said {
  readonly command: string
  /** The text that a person types for it, where the sentence leaves something open. */
  readonly typed?: string
}

export interface Page {
  readonly path: string
  /** The additions of this page's machine to a clean Debian. */
  readonly has?: string
  /** Every block that is not run unchanged on the machine. */
  readonly steps: readonly Step[]
  readonly said?: readonly Said[]
}

interface Substitute {
  readonly text: string
  readonly by: string
  readonly why: string
}

const theProcessor = 'the root has the processor of this machine'
const theNodeForArmhf = 'the Node for armhf comes from nodejs.org'

export const substitutes: readonly Substitute[] = [
  { text: 'nano ', by: 'test -w ', why: 'an editor wants a person' },
  { text: '_arm64.deb', by: '_amd64.deb', why: theProcessor },
  { text: '_arm64.release', by: '_amd64.release', why: theProcessor },
  { text: 'package:pi arm64 ', by: 'package:pi amd64 ', why: theProcessor },
  {
    text: 'package:pi                  #',
    by: 'package:pi amd64  #',
    why: theNodeForArmhf,
  },
  {
    text: 'package:pi --check',
    by: 'package:pi amd64 --check',
    why: theNodeForArmhf,
  },
  {
    text: 'package:pi --release-keys',
    by: 'package:pi amd64 --release-keys',
    why: theNodeForArmhf,
  },
  { text: 'sign --key', by: 'sign amd64 --key', why: theNodeForArmhf },
  { text: 'enrol CODE ', by: 'enrol "$(cat ~/code)" ', why: 'the code is made by the cloud in the root' },
  { text: 'journalctl -fu ', by: 'journalctl --no-pager -u ', why: 'a log that is followed does not end' },
  {
    text: '--mail mail.example.com --mail-user gates@example.com',
    by: '--mail none',
    why: 'there is no mail server',
  },
]

/** A text in the form in which it is typed in the root. */
export const asTyped = (text: string) =>
  substitutes.reduce((typed, substitute) => typed.replaceAll(substitute.text, substitute.by), text)

const needsDocker = 'needs Docker and its registry'
const needsPostgres = 'needs a Postgres on another machine'
const walkedBySecond = 'is walked with two clouds: ways/second.ts'
const needsBoard = 'needs the board of a Pi'
const needsImage = 'needs an image of Raspberry Pi OS: test/processes/package/image.test.ts has a small one'
const needsCard = 'needs a card with a partition of its own'

const checkoutCommand = `. /opt/walk/builder
pi() { npx -y pnpm@10.34.9 -s "$@"; }`

/** The package of the release, made from the checkout. */
const packageOfCloud = `(
cd ~/callgate
${checkoutCommand}
pi install --frozen-lockfile
pi package:cloud amd64 --to ~
)`

/** Caddy's own authority in place of a public one. */
const ofCaddy = '/var/lib/caddy/.local/share/caddy'
const certificateOfCaddy = `sed -i '1i {\\n\\tlocal_certs\\n}' /etc/caddy/Caddyfile
systemctl reload caddy
for tried in $(seq 100); do [ -e ${ofCaddy}/certificates/local/gates.example.com/gates.example.com.key ] || sleep 0.2; done
cp ${ofCaddy}/pki/authorities/local/root.crt /usr/local/share/ca-certificates/caddy.crt
update-ca-certificates`

/** A simulated modem in place of the wires. */
const modem = `systemd-run --quiet --unit=modem --working-directory="$HOME/callgate" /opt/walk/bin/node --import tsx \
  packages/simulator/src/main.ts --link /dev/callgate-modem --registered --gate +40722000001=reject_busy
for tried in $(seq 100); do [ -e /dev/callgate-modem ] || sleep 0.2; done
chgrp dialout "$(readlink -f /dev/callgate-modem)" && chmod 660 "$(readlink -f /dev/callgate-modem)"`

/** An owner's action on the dashboard: confirming the six digits that a gateway shows. */
export const confirmGateway = `cat > ~/confirm.sh <<'END'
for tried in $(seq 200); do
  callgate gateway enrolments --json > waiting
  grep -q '"fingerprint":"' waiting && break || sleep 0.5
done
callgate gateway confirm --enrolment "$(sed 's/.*"id":"\\([^"]*\\)".*/\\1/' waiting)" \
  --fingerprint "$(sed 's/.*"fingerprint":"\\([^"]*\\)".*/\\1/' waiting)"
END
systemd-run --quiet --working-directory="$HOME" bash confirm.sh`

/** An owner's actions on the dashboard: making the code, and confirming. */
const owner = `callgate gateway add --name "Gate house" --json > ~/added
/usr/lib/callgate/node -p 'JSON.parse(fs.readFileSync(0, "utf8")).code' < ~/added > ~/code
${confirmGateway}`

/** A gate, and an integrator who opens it again and again while the trace of a test call waits. */
const press = `callgate gate add --name South --phone +40722000001 --json > gate
callgate key create --name Try --scopes gates:open --json > key
cat > press.sh <<'END'
gate=$(/usr/lib/callgate/node -p 'JSON.parse(fs.readFileSync(0, "utf8")).gate.id' < gate)
key=$(/usr/lib/callgate/node -p 'JSON.parse(fs.readFileSync(0, "utf8")).key' < key)
for tried in $(seq 10); do
  sleep 5
  curl --silent --show-error --request POST --header "Authorization: Bearer $key" \
    "https://gates.example.com/api/v1/gates/$gate/open"
  sleep 10
  pgrep -f 'gateway.mjs call' > /dev/null || exit
done
END
systemd-run --quiet --working-directory="$HOME" bash press.sh`

/** Sets the version of the sources, and takes it back: the root has no Git. */
const setVersion = (version: string) => `cp -n package.json ~/package.json; npm pkg set version=${version}`
const resetVersion = 'mv ~/package.json package.json'

/**
 * The maker of the package has pinned a release key, and the operator has published 1.0.1; 1.1.0 was brought as a file. The
 * package of the page pins no key, so one with a key replaces it.
 */
const releases = `(
cd ~/callgate
${checkoutCommand}
pi release:pi keygen --out ~/try.release | tail -1 > ~/try.keys
pi package:pi amd64 --release-keys ~/try.keys --to ~/pinned
for version in 1.0.1 1.1.0; do
  ${setVersion('$version')}
  pi release:pi sign amd64 --key ~/try.release --to ~
done
${resetVersion}
)
dpkg --install ~/pinned/callgate-gateway_*_amd64.deb
callgate release add callgate-gateway_1.0.1_amd64.release`

export const pages: readonly Page[] = [
  {
    path: 'deploy/cloud/README.md',
    steps: [
      { begins: 'apt install ./callgate-cloud_*_amd64.deb caddy', before: packageOfCloud },
      {
        begins: 'callgate setup --address',
        before: certificateOfCaddy,
        holds: 'systemctl is-active callgate-cloud && callgate doctor',
      },
      { begins: 'systemctl stop callgate-cloud\n', without: needsPostgres },
      { begins: 'callgate alerts mute', holds: 'callgate doctor' },
      { begins: 'systemctl disable --now callgate', without: 'nothing was installed by hand' },
      { begins: 'callgate setup --settings', without: walkedBySecond },
      { begins: 'callgate share', without: walkedBySecond },
      { begins: 'apt install ./callgate-cloud_*_amd64.deb\ncallgate setup --join', without: walkedBySecond },
      { begins: 'systemctl reload caddy && callgate status', without: walkedBySecond },
      { begins: "printf 'DOMAIN=", without: needsDocker },
      { begins: 'docker compose build cloud-a', without: needsDocker },
      { begins: 'docker compose up --detach', without: needsDocker },
      {
        begins: 'docker compose exec cloud-a /nodejs/bin/node /opt/callgate/callgate.mjs space',
        without: needsDocker,
      },
      { begins: 'umask 077\ndocker compose exec -T postgres', without: needsDocker },
      { begins: 'ready=', without: needsDocker },
      { begins: 'grype sbom:', without: 'needs a scanner that Debian does not have' },
    ],
    said: [
      { command: 'callgate backup backups --keys keys' },
      { command: 'callgate doctor --backups /var/backups/callgate' },
      { command: 'callgate opening list' },
    ],
  },
  {
    path: 'deploy/broker/README.md',
    steps: [
      {
        begins: 'install -o mosquitto',
        before: 'systemctl stop callgate-cloud',
        holds: 'systemctl is-active mosquitto',
      },
      { begins: 'callgate setup --settings', holds: 'callgate doctor' },
    ],
    said: [{ command: 'systemctl reload mosquitto' }],
  },
  {
    path: 'deploy/pi/README.md',
    has: 'apt-get install --yes --quiet sudo curl',
    steps: [
      { begins: 'npx -y pnpm@10.34.9 package:pi  ', place: 'checkout' },
      { begins: 'sudo raspi-config nonint do_serial_hw', without: needsBoard },
      {
        begins: 'sudo apt install ./callgate-gateway',
        before: 'cp ~/callgate/deploy/pi/dist/callgate-gateway_*_amd64.deb ~/',
      },
      { begins: 'sudo callgate-gateway enrol', before: `${modem}\n${owner}` },
      { begins: 'sudo callgate-gateway doctor', holds: 'systemctl is-active callgate-gateway' },
      { begins: 'sudo callgate-gateway call', before: press, holds: 'callgate opening list | grep rejected' },
      {
        begins: 'sudo callgate-gateway update',
        before: releases,
        holds: 'callgate-gateway --version | grep 1.1.0',
      },
      {
        begins: 'npx -y pnpm@10.34.9 -s release:pi keygen',
        place: 'checkout',
        before: setVersion('1.0.0'),
        holds: resetVersion,
      },
      { begins: 'sudo apt install fdisk', without: needsImage },
      { begins: 'sudo mkfs.ext4', without: needsCard },
      { begins: 'sudo raspi-config nonint enable_overlayfs', without: needsBoard },
      { begins: 'sudo sed -i', without: needsBoard },
    ],
    said: [
      { command: 'ls -l /dev/callgate-modem /dev/serial0', typed: 'ls -l /dev/callgate-modem' },
      { command: 'sudo callgate-gateway modem', typed: 'echo AT+CSQ | sudo callgate-gateway modem' },
      { command: 'sudo callgate-gateway report', typed: 'sudo callgate-gateway report --yes' },
      { command: 'sudo callgate-gateway doctor' },
      { command: 'journalctl -u callgate-gateway', typed: 'journalctl --no-pager -u callgate-gateway' },
    ],
  },
]

/** The step of a block of the shell or of a file; undefined for a block that is typed unchanged on the machine. */
export function stepOf(page: Page, block: Block): Step | undefined {
  return page.steps.find(({ begins }) => block.text.startsWith(begins))
}
