import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clientAddress, readProxies, trustedProxies } from './proxies.ts'

function trust(text: string) {
  const read = readProxies(text)
  if (!read.ok) throw new Error(read.message)
  return trustedProxies(read.proxies)
}

it.each([
  '',
  'true',
  'all',
  '*',
  '1',
  '2',
  'nginx',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/7',
  '10.0.0.0/33',
  '2000::/3',
  '::1/129',
  '::ffff:0.0.0.0/96',
  '::ffff:10.0.0.1',
  '10.0.0.1/',
  '10.0.0.1/-8',
  '10.0.0.1/8/8',
  '10.0.0.1,',
  '10.0.0.1:80',
  '010.0.0.1',
])('rejects "%s" as a list of proxies', text => {
  const read = readProxies(text)
  expect(read.ok ? 'taken' : read.message).toMatch(/^TRUST_PROXY must name each proxy by its address/)
})

it('limits the length of the list', () => {
  expect(readProxies(Array(65).fill('10.0.0.1').join(','))).toMatchObject({ ok: false })
})

it('recognises the proxies by address, network and as loopback, in every notation', () => {
  const isTrusted = trust('loopback, 10.1.0.0/16,2001:DB8::/32')
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '2001:db8:0::9',
  ])
    expect(isTrusted(address)).toBe(true)
  for (const address of ['10.2.0.1', '2001:db9::1', '::', '', 'loopback', '10.1.2'])
    expect(isTrusted(address)).toBe(false)
  const byNobody = trustedProxies([])
  expect(byNobody('127.0.0.1')).toBe(false)
  // A wide rule of IPv6 does not match IPv4.
  expect(trust('0::/16')('192.0.2.1')).toBe(false)
})

it.each([
  ['10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['10.0.0.1', '6.6.6.6, 192.0.2.7', '192.0.2.7'],
  ['10.0.0.1', '6.6.6.6, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
  ['::ffff:10.0.0.1', '2001:DB8::7', '2001:db8::7'],
  ['10.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
  ['10.0.0.1', '192.0.2.7:5123', '192.0.2.7'],
  ['10.0.0.1', '[2001:db8::7]:5123', '2001:db8::7'],
  // All of them are proxies, so the request is the first proxy's own.
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, unknown, 10.0.0.2', '10.0.0.2'],
  // The header of a peer that is not trusted is ignored.
  ['192.0.2.1', '10.0.0.9', '192.0.2.1'],
  ['192.0.2.1', '6.6.6.6, 10.0.0.2', '192.0.2.1'],
  ['', '6.6.6.6', ''],
])('for a request from %s with %s, the client is %s', (peer, forwardedFor, address) => {
  expect(clientAddress(trust('10.0.0.0/8'), peer, forwardedFor)).toBe(address)
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
const anyPart = fc.oneof(anyAddress, fc.string(), fc.constant('10.0.0.1'), fc.constant('127.0.0.1:1'))
const anyHeader = fc.array(anyPart, { maxLength: 8 }).map(parts => parts.join(','))

it('depends only on what trusted proxies add, never on what a client sends', () => {
  const isTrusted = trust('10.0.0.0/8,loopback')
  const proxy = fc.constantFrom('10.0.0.1', '10.255.0.9', '127.0.0.1', '::1')
  fc.assert(
    fc.property(anyAddress, anyHeader, fc.array(proxy, { maxLength: 4 }), (client, sent, hops) => {
      fc.pre(!isTrusted(client))
      const direct = clientAddress(isTrusted, client, sent)
      expect(direct).toBe(clientAddress(isTrusted, client, undefined))
      // Each proxy appends the address of its peer to the header that it received.
      const last = hops.at(-1)
      if (last === undefined) return
      const header = [sent, client, ...hops.slice(0, -1)].join(', ')
      expect(clientAddress(isTrusted, last, header)).toBe(direct)
    }),
    { numRuns: 2_000 },
  )
})
