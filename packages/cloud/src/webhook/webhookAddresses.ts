// Which addresses a webhook may lead to: global ones of the internet, and networks that the operator has named.

import { BlockList, isIP } from 'node:net'

/** IPv4 that is not global: the special-purpose registry of IANA (RFC 6890 and its successors), and multicast. */
const innerIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Wire servers of clouds, which answer on a global address: Azure, Alibaba (in 100.64.0.0/10 too).
  '168.63.129.16/32',
]

/** The only global IPv6 addresses lie in 2000::/3. So mapped and compatible ones, NAT64, and local ones are refused. */
const globalIpv6 = '2000::/3'
/** What of them is not global, or leads to an IPv4 address: Teredo, ORCHID, documentation, 6to4, segments. */
const innerIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48']

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

// Separate lists: a BlockList also compares an IPv4 address with rules of IPv6.
const inner = { ipv4: listOf(innerIpv4), ipv6: listOf(innerIpv6) }
const outer = listOf([globalIpv6])

/**
 * Whether a delivery may connect to an address. `own`: the addresses of this machine. `isNamed`: whether the operator has named
 * its network, which allows it in any case.
 */
export function isAllowedAddress(
  address: string,
  { isNamed, own }: { readonly isNamed: (address: string) => boolean; readonly own: readonly string[] },
): boolean {
  const version = isIP(address)
  if (version === 0) return false
  if (isNamed(address)) return true
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (family === 'ipv6' && !outer.check(address, family)) return false
  return !own.includes(address) && !inner[family].check(address, family)
}
