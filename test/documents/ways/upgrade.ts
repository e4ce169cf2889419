// From the cloud and the gateway of the earlier commit, installed by its pages and with data, to the packages of today.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { openAsGuest } from '../people.ts'
import { confirmGateway } from '../steps.ts'
import { earlierFiles } from '../supplies.ts'
import { bringCertificate, bringModem, bringPackage, bringTools, gateNumber } from './brought.ts'
import { cloudPage, gatewayPage, noteOf, provide, type Stage, untilServed, type Walk } from './way.ts'

const gate = 'Courtyard gate'

/** What the data has, as the command line of either version tells it. */
const counts = `for noun in gate member opening gateway activity; do
  echo $noun $(callgate $noun list --json | grep -o '"id":"[a-z]*_' | wc -l)
done`

/** Presses the gate as an integrator does, and wants it opened. */
const pressGate = (stage: Stage) =>
  provide(
    stage,
    'gates',
    `for tried in $(seq 30); do
  said=$(curl --silent --request POST --header "Authorization: Bearer $(cat ~/key)" "https://gates.example.com/api/v1/gates/$(cat ~/gate)/open")
  case $said in *'"opened":true'*) exit ;; esac
  sleep 2
done
echo "$said"; exit 1`,
  )

export const upgrade: Walk = {
  machines: { gates: ['gates.example.com'], house: [] },
  ways: [
    {
      name: 'upgrade',
      steps: [
        {
          does: 'the files of the earlier commit are brought, and Node 22 or newer',
          async act(stage) {
            const { roots, top } = stage
            const files = await earlierFiles(top)
            const at = (machine: string, path: string) => join(roots[machine]?.folder ?? '', path)
            cpSync(join(files, 'packages/cloud/dist'), at('gates', 'opt/callgate'), { recursive: true })
            cpSync(join(files, 'deploy'), at('gates', 'root/deploy'), { recursive: true })
            cpSync(process.execPath, at('gates', 'usr/bin/node'))
            cpSync(join(files, 'deploy/pi/dist'), at('house', 'root'), { recursive: true })
            await provide(stage, 'gates', 'apt-get install --yes --quiet curl caddy')
            await provide(
              stage,
              'gates',
              `printf 'gates.example.com {\\n\\treverse_proxy 127.0.0.1:8080\\n}\\n' > /etc/caddy/Caddyfile`,
            )
          },
        },
        bringCertificate('gates'),
        {
          on: 'gates',
          page: cloudPage,
          isEarlier: true,
          begins: 'useradd --system',
          before: 'cd ~/deploy/cloud',
          holds: 'cd',
        },
        {
          on: 'gates',
          page: cloudPage,
          isEarlier: true,
          begins: 'APP_URL=https://gates.example.com',
          file: 'etc/callgate/cloud.env',
          before: 'install -D -m 600 /dev/null /etc/callgate/cloud.env',
          typed: text => text.replace(/^SMTP_URL=.*\nMAIL_FROM=.*$/m, 'ALLOW_MAIL_FILES=yes'),
          holds: `install -d -o callgate -m 700 /etc/callgate/broker
cd /var/lib/caddy/.local/share/caddy/certificates/local/gates.example.com
install -o callgate -m 600 gates.example.com.crt /etc/callgate/broker/fullchain.pem
install -o callgate -m 600 gates.example.com.key /etc/callgate/broker/privkey.pem
chmod 711 /etc/callgate
cd`,
        },
        {
          on: 'gates',
          page: cloudPage,
          isEarlier: true,
          begins: 'callgate doctor',
          // A person repeats what came too early.
          typed: text => text.replace('curl --fail', 'curl --fail --retry 60 --retry-delay 1'),
        },
        { on: 'gates', page: cloudPage, isEarlier: true, begins: 'callgate space create' },
        bringTools('house'),
        bringModem('house'),
        {
          does: 'the earlier cloud gets a gateway that waits for its code, a gate, a member and a key',
          async act(stage) {
            const of = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`
            await provide(
              stage,
              'gates',
              `of="--space $(callgate space list --json | grep -o 'space_[a-z0-9]*' | head -1)"
callgate gateway add $of --name "Gate house" --json | ${of('code')} > ~/code
callgate gate add $of --name "${gate}" --phone ${gateNumber} --json | grep -o 'gate_[a-z0-9]*' | head -1 > ~/gate
callgate key create $of --name Try --scopes gates:open --json | ${of('key')} > ~/key
callgate member create $of --name "Ana Pop" --gates $(cat ~/gate) > ~/member
${confirmGateway}`,
            )
            const member = await provide(stage, 'gates', 'cat ~/member')
            stage.notes.set('link', /https:\S+/.exec(member)?.[0] ?? '')
            stage.notes.set('code', (await provide(stage, 'gates', 'cat ~/code')).trim())
          },
        },
        { on: 'house', page: gatewayPage, isEarlier: true, begins: 'sudo apt install ./callgate-gateway' },
        {
          on: 'house',
          page: gatewayPage,
          isEarlier: true,
          begins: 'sudo callgate-gateway enrol CODE',
          typed: (text, stage) => text.replace('"$(cat ~/code)"', noteOf(stage, 'code')),
        },
        {
          on: 'house',
          page: gatewayPage,
          isEarlier: true,
          begins: 'sudo callgate-gateway doctor\nsudo systemctl restart',
          // It knows the public authorities alone, and not those of its machine.
          before:
            'echo "ca: /usr/local/share/ca-certificates/walk.crt" >> /etc/callgate-gateway/callgate-gateway.yaml',
        },
        {
          does: 'the gate opens by the earlier cloud and the earlier gateway, and the data is counted',
          async act(stage) {
            await pressGate(stage)
            stage.notes.set('counts', await provide(stage, 'gates', counts))
          },
        },
        bringPackage('gates', 'callgate-cloud'),
        {
          who: 'operator',
          on: 'gates',
          page: cloudPage,
          begins: 'systemctl disable --now callgate callgate-backup.timer',
          // The first start brings the tables to their newest form, and only then serves.
          holds: `${untilServed} && callgate doctor && callgate verify && callgate --version`,
        },
        {
          does: 'the data is the same, and the gate opens by the earlier gateway',
          async act(stage) {
            const [before, now] = [noteOf(stage, 'counts'), await provide(stage, 'gates', counts)]
            if (before !== now) throw new Error(`before the upgrade:\n${before}\nafterwards:\n${now}`)
            await pressGate(stage)
          },
        },
        {
          does: 'the package of the gateway takes the place of the earlier one',
          act: stage => provide(stage, 'house', 'rm ~/callgate-gateway_*.deb'),
        },
        bringPackage('house', 'callgate-gateway'),
        {
          who: 'installer',
          on: 'house',
          page: gatewayPage,
          begins: 'sudo apt install ./callgate-gateway',
          holds: 'systemctl is-active callgate-gateway && callgate-gateway doctor',
        },
        { does: 'the gate opens by cloud and gateway of today', act: pressGate },
        {
          who: 'guest',
          does: 'opens the gate with the link of before',
          act: async stage => openAsGuest((await stage.browser('guest')).page, noteOf(stage, 'link'), gate),
        },
        { does: 'verify finds nothing', act: stage => provide(stage, 'gates', 'callgate verify') },
      ],
    },
  ],
}
