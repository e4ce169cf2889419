// From an empty machine to an opened gate, and the first guest: cloud, gateway, gate, guest.

import {
  addGate,
  addGateway,
  addMember,
  admitGateway,
  choosePassword,
  openAsGuest,
  seeOnline,
  testCall,
} from '../people.ts'
import { installerSetting } from '../supplies.ts'
import { bringCertificate, bringModem, bringPackage, bringTools, gateNumber } from './brought.ts'
import {
  cloudPage,
  gatewayPage,
  noteOf,
  provide,
  releasePage,
  untilServed,
  type Walk,
  type WayStep,
} from './way.ts'

/** A machine with the package and the proxy, by the first steps of the page. */
export const packageAndProxy: readonly WayStep[] = [
  bringPackage('gates', 'callgate-cloud'),
  { who: 'operator', on: 'gates', page: cloudPage, begins: 'apt install ./callgate-cloud_*_amd64.deb caddy' },
  { who: 'operator', on: 'gates', page: cloudPage, begins: 'cp /usr/share/callgate/Caddyfile' },
  bringCertificate('gates'),
]

/** The line that the dashboard has shown, in the form of the page. */
export function lineOfPage(form: string, line: string): string {
  const words = (text: string) => text.replaceAll(/[\\\n ]+/g, ' ').trim()
  const pattern = words(form)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace('0123…', '[0-9a-f]{64}')
    .replace('CODE', '\\S+')
    .replace('KEY', '\\S+')
  if (new RegExp(`^${pattern}$`).test(words(line))) return line
  throw new Error(`the dashboard shows another line than the page:\n${line}`)
}

export const town: Walk = {
  machines: { gates: ['gates.example.com'], house: [] },
  ways: [
    {
      name: 'cloud',
      steps: [
        ...packageAndProxy,
        {
          who: 'operator',
          on: 'gates',
          page: cloudPage,
          begins: 'callgate setup --address',
          finds: { invitation: /^ +(https:\S+\/invitation#\S+)$/m },
          holds: 'systemctl is-active callgate-cloud && callgate doctor',
        },
        {
          who: 'admin',
          does: 'chooses a password',
          act: async stage =>
            choosePassword((await stage.browser('admin')).page, noteOf(stage, 'invitation')),
        },
      ],
    },
    {
      name: 'gateway',
      steps: [
        bringTools('house'),
        bringModem('house'),
        {
          who: 'operator',
          on: 'gates',
          page: releasePage,
          begins: "echo 'GATEWAY_INSTALLER",
          typed: (text, { release }) =>
            text.replace(/GATEWAY_INSTALLER="[^"]*"/, installerSetting(`${release}/apt`)),
          holds: untilServed,
        },
        {
          who: 'admin',
          does: 'adds a gateway',
          async act(stage) {
            const { page } = await stage.browser('admin')
            stage.notes.set('line', await addGateway(page))
          },
        },
        {
          who: 'installer',
          on: 'house',
          page: releasePage,
          begins: 'curl -fsSLo callgate.sh',
          typed: (text, stage) => lineOfPage(text, noteOf(stage, 'line')),
          meanwhile: {
            who: 'admin',
            does: 'compares the digits, and admits the gateway',
            act: async stage => admitGateway((await stage.browser('admin')).page),
          },
        },
        {
          who: 'installer',
          on: 'house',
          page: gatewayPage,
          begins: 'sudo callgate-gateway doctor\nsudo systemctl restart',
          holds: 'systemctl is-active callgate-gateway && ! ls /etc/apt/sources.list.d | grep callgate',
        },
        {
          who: 'admin',
          does: 'sees that it is connected',
          act: async stage => seeOnline((await stage.browser('admin')).page),
        },
      ],
    },
    {
      name: 'gate',
      steps: [
        {
          who: 'admin',
          does: 'adds a gate',
          act: async stage => addGate((await stage.browser('admin')).page, 'Courtyard gate', gateNumber),
        },
        {
          who: 'installer',
          on: 'house',
          page: gatewayPage,
          begins: 'sudo callgate-gateway call',
          meanwhile: {
            who: 'admin',
            does: 'makes a test call, which opens the gate',
            async act(stage) {
              // The trace tells of calls that begin after it.
              await provide(
                stage,
                'house',
                `until pgrep -f 'gateway.mjs call' > /dev/null; do sleep 0.2; done; sleep 8`,
              )
              await testCall((await stage.browser('admin')).page, 'Courtyard gate')
            },
          },
        },
      ],
    },
    {
      name: 'guest',
      steps: [
        {
          who: 'admin',
          does: 'adds a member, and copies the magic link',
          async act(stage) {
            const { page } = await stage.browser('admin')
            stage.notes.set('link', await addMember(page, 'Ana Pop'))
          },
        },
        {
          who: 'guest',
          does: 'opens the gate with the link',
          act: async stage =>
            openAsGuest((await stage.browser('guest')).page, noteOf(stage, 'link'), 'Courtyard gate'),
        },
        {
          does: 'the data has two openings, and verify finds nothing',
          act: stage =>
            provide(
              stage,
              'gates',
              `callgate verify && [ "$(callgate opening list --json | grep -o '"id":"open_' | wc -l)" = 2 ]`,
            ),
        },
      ],
    },
  ],
}
