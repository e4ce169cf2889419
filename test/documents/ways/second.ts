// Two clouds on one Postgres and one Mosquitto of a third machine; the second one serves alone when the first is stopped.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { bringPackage } from './brought.ts'
import { packageAndProxy } from './town.ts'
import { brokerPage, cloudPage, databasesPage, noteOf, provide, type Walk } from './way.ts'

const password = 'Lake0view1Password2'

/** The addresses of the pages are examples. */
const addressed = (text: string, addresses: Readonly<Record<string, string>>) =>
  text
    .replaceAll('192.0.2.0/24', `${addresses['gates']?.replace(/\d+$/, '0')}/24`)
    .replaceAll('192.0.2.10', addresses['gates'] ?? '')
    .replaceAll('192.0.2.11', addresses['second'] ?? '')

const operator = { who: 'operator' } as const

export const second: Walk = {
  machines: { gates: ['gates.example.com'], second: [], db: ['db.example.com', 'broker.example.com'] },
  ways: [
    {
      name: 'second',
      steps: [
        {
          ...operator,
          on: 'db',
          page: databasesPage,
          begins: 'apt install postgresql',
          typed: (text, { addresses }) => addressed(text, addresses),
          input: `${password}\n${password}\n`,
        },
        ...packageAndProxy,
        { ...operator, on: 'gates', page: databasesPage, begins: 'scp root@db.example.com:database.crt' },
        { ...operator, on: 'gates', page: brokerPage, begins: 'scp /usr/share/callgate/mosquitto.conf' },
        { ...operator, on: 'db', page: brokerPage, begins: 'apt install mosquitto' },
        { ...operator, on: 'db', page: brokerPage, begins: 'cd /etc/mosquitto/callgate' },
        { ...operator, on: 'gates', page: brokerPage, begins: 'callgate broker setup' },
        { ...operator, on: 'gates', page: brokerPage, begins: 'scp broker/dynamic-security.json' },
        { ...operator, on: 'db', page: brokerPage, begins: 'install -o mosquitto' },
        {
          ...operator,
          on: 'gates',
          page: cloudPage,
          begins: 'callgate setup --settings broker/cloud.env --broker-ca authority.crt --address',
          input: `${password}\n`,
          holds: 'systemctl is-active callgate-cloud && callgate doctor',
        },
        {
          ...operator,
          on: 'gates',
          page: cloudPage,
          begins: 'callgate share',
          finds: { passphrase: /^ {2}([a-z0-9]+(?:-[a-z0-9]+)+)$/m },
        },
        bringPackage('second', 'callgate-cloud'),
        {
          does: 'the file is brought to the second machine',
          async act({ roots }) {
            const [from = '', to = ''] = ['gates', 'second'].map(name =>
              join(roots[name]?.folder ?? '', 'root/second.callgate'),
            )
            cpSync(from, to)
          },
        },
        {
          ...operator,
          on: 'second',
          page: cloudPage,
          begins: 'apt install ./callgate-cloud_*_amd64.deb\ncallgate setup --join',
          typed: (text, { addresses }) => addressed(text, addresses),
          answers: stage => `${noteOf(stage, 'passphrase')}\n`,
          holds:
            'systemctl is-active callgate-cloud && callgate doctor && callgate space list | grep "Lake view"',
        },
        {
          ...operator,
          on: 'gates',
          page: cloudPage,
          begins: 'gates.example.com {\n\trequest_body',
          file: 'etc/caddy/Caddyfile',
          typed: (text, { addresses }) => addressed(text, addresses),
          // The certificate of the walk is asked for in the same file.
          holds: `cat /opt/walk/authority/caddy /etc/caddy/Caddyfile > Caddyfile && cat Caddyfile > /etc/caddy/Caddyfile`,
        },
        { ...operator, on: 'gates', page: cloudPage, begins: 'systemctl reload caddy && callgate status' },
        {
          does: 'the second cloud answers through the proxy while the first one is stopped',
          act: stage =>
            provide(
              stage,
              'gates',
              `apt-get install --yes --quiet curl
answers() { curl --silent --fail --retry 20 --retry-all-errors --retry-delay 1 https://gates.example.com/readyz; }
answers && systemctl stop callgate-cloud && sleep 6 && answers && answers && systemctl start callgate-cloud`,
            ),
        },
      ],
    },
  ],
}
