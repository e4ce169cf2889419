import { describe, expect, it } from 'vitest'
import { trustedProxies } from '../network/proxies.ts'
import { isAllowedAddress } from './webhookAddresses.ts'
import { readWebhookUrl, usualPorts } from './webhookUrl.ts'

const rules = { ports: usualPorts, hasNetworks: false, ownHost: 'callgate.example.com' }
const none = { isNamed: () => false, own: ['93.184.216.40'] }

/** Addresses inside a network, in every notation that a resolver can answer with. */
const inner = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1'],
  ...['172.31.255.255', '192.168.0.1', '192.168.255.255', '169.254.169.254', '169.254.0.1', '100.64.0.1'],
  ...['100.100.100.200', '100.127.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.7', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.7', '203.0.113.7', '192.88.99.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '93.184.216.40'],
  ...['::', '::1', '0:0:0:0:0:0:0:1', '::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['0:0:0:0:0:ffff:10.0.0.1', '::ffff:93.184.216.34', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1'],
  ...[
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001::1',
    '2001:0:53aa::1',
  ],
  ...['2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', 'fc00::1', 'fd00:ec2::254', 'fd12::1', 'fe80::1'],
  ...['febf::1', 'fec0::1', 'ff02::1', '100::1', '5f00::1', '2620:4f:8000::1', 'localhost', ''],
]

describe('an address', () => {
  it.each(inner)('%s is refused', address => {
    expect(isAllowedAddress(address, none)).toBe(false)
  })

  it.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '2a00:1450::1'])(
    '%s is allowed',
    address => {
      expect(isAllowedAddress(address, none)).toBe(true)
    },
  )

  it('in a network that the operator has named is allowed', () => {
    const isNamed = trustedProxies([
      { address: '10.1.0.0', family: 4, prefix: 16 },
      { address: 'fd00::', family: 6, prefix: 16 },
    ])
    const allowed = (address: string) => isAllowedAddress(address, { isNamed, own: [] })
    expect(['10.1.2.3', 'fd00::7', '10.2.0.1', 'fe80::1', '127.0.0.1'].map(allowed)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('the URL of a webhook', () => {
  it.each([
    ...[
      'https://127.0.0.1/',
      'https://127.1/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://2130706433/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://①②⑦.⓪.⓪.①/',
      'https://169.254.169.254/latest',
    ],
    ...[
      'https://localhost/',
      'https://LOCALHOST./',
      'https://a.localhost/',
      'https://printer/',
      'https://a.local/',
    ],
    ...[
      'https://metadata.google.internal/',
      'https://box.lan/',
      'https://x.home.arpa/',
      'https://127.0.0.1./',
    ],
  ])('%s names no public host', url => {
    expect(readWebhookUrl(url, rules)).toEqual({ ok: false, fault: 'webhook_no_name' })
  })

  it.each([
    ['http://desk.example.com/', 'webhook_not_https'],
    ['ftp://desk.example.com/', 'webhook_not_https'],
    ['desk.example.com', 'webhook_not_https'],
    ['https://user@desk.example.com/', 'webhook_not_https'],
    ['https://desk.example.com/#a', 'webhook_not_https'],
    ['https://desk.example.com:22/', 'webhook_port'],
    ['https://desk.example.com:80/', 'webhook_port'],
    ['https://callgate.example.com/', 'webhook_own_host'],
  ])('%s is refused: %s', (url, fault) => {
    expect(readWebhookUrl(url, rules)).toEqual({ ok: false, fault })
  })

  it('is kept as the standard writes it, on the usual ports and those of the operator', () => {
    const read = readWebhookUrl('HTTPS://Desk.Example.com:8443/a?b=c', rules)
    expect(read).toEqual({ ok: true, url: 'https://desk.example.com:8443/a?b=c', host: 'desk.example.com' })
    expect(
      readWebhookUrl('https://desk.example.com:9443/', { ...rules, ports: [...usualPorts, 9443] }).ok,
    ).toBe(true)
    expect(readWebhookUrl('https://printer.local/', { ...rules, hasNetworks: true }).ok).toBe(true)
    expect(readWebhookUrl('https://10.0.0.1/', { ...rules, hasNetworks: true }).ok).toBe(false)
  })
})
