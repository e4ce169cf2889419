// Which hosts are this machine itself: traffic to them does not cross a network.

import { BlockList, isIP } from 'node:net'

const ownAddresses = new BlockList()
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
ownAddresses.addAddress('::1', 'ipv6')

/** Whether `host` is `localhost` or a loopback address; an IPv6 address may stand in brackets, as it does in a URL. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const family = isIP(bare)
  return family === 0 ? bare === 'localhost' : ownAddresses.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}
