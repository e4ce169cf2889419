// The proxies in front of the cloud: which are trusted to name the client of a request.

import { BlockList, isIP, SocketAddress } from 'node:net'

const families = { 4: 'ipv4', 6: 'ipv6' } as const
const bits = { 4: 32, 6: 128 } as const
/** A wider network would be a large part of the internet. */
const fewestBits = { 4: 8, 6: 16 } as const
const mostEntries = 64

type Family = keyof typeof families

interface IpAddress {
  /** In its usual notation; an IPv4 address in IPv6 notation (`::ffff:192.0.2.1`) as IPv4. */
  readonly text: string
  readonly family: Family
}

/** The IP address in a text, without a zone; undefined when there is none. */
function ipAddress(text: string): IpAddress | undefined {
  const family = isIP(text)
  if (family === 4) return { text, family }
  if (family !== 6) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  return mapped === undefined ? { text: address, family } : { text: mapped, family: 4 }
}

/** A network of addresses, of which the first `prefix` bits are the same. */
export interface IpNetwork {
  readonly address: string
  readonly family: Family
  readonly prefix: number
}

const loopback: readonly IpNetwork[] = [
  { address: '127.0.0.0', family: 4, prefix: 8 },
  { address: '::1', family: 6, prefix: 128 },
]

function readEntry(entry: string): readonly IpNetwork[] | undefined {
  if (entry === 'loopback') return loopback
  const [, host = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIP(host)
  if (family !== 4 && family !== 6) return undefined
  const prefix = digits === undefined ? bits[family] : Number(digits)
  if (prefix > bits[family] || prefix < fewestBits[family]) return undefined
  const ip = ipAddress(host)
  // A network of IPv4 addresses in IPv6 notation has no agreed meaning.
  return ip?.family === family ? [{ address: ip.text, family, prefix }] : undefined
}

export type ReadProxies =
  | { readonly ok: true; readonly proxies: readonly IpNetwork[] }
  | { readonly ok: false; readonly message: string }

/**
 * Reads TRUST_PROXY: addresses and networks separated by commas, or `loopback`. It accepts neither "all addresses" nor a count of
 * hops: every trusted proxy must be named.
 */
export function readProxies(text: string): ReadProxies {
  const proxies = readNetworks(text)
  if (!proxies)
    return {
      ok: false,
      message:
        `TRUST_PROXY must name each proxy by its address (192.0.2.1), its network (192.0.2.0/24; at least /8, or /16 ` +
        'of IPv6) or as loopback, with commas between; a number of hops, a name or all are not taken',
    }
  return proxies.length <= mostEntries
    ? { ok: true, proxies }
    : { ok: false, message: `TRUST_PROXY may name ${mostEntries} proxies or networks at most` }
}

/** The addresses and networks in a text, separated by commas; undefined where one cannot be read. */
export function readNetworks(text: string): readonly IpNetwork[] | undefined {
  const read = text.split(',').map(entry => readEntry(entry.trim()))
  return read.every(networks => networks !== undefined) ? read.flat() : undefined
}

export type IsTrustedProxy = (address: string) => boolean

/** Whether an address is that of one of the proxies. */
export function trustedProxies(proxies: readonly IpNetwork[]): IsTrustedProxy {
  // Separate lists, since a rule of IPv6 would also match addresses of IPv4.
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const { address, family, prefix } of proxies)
    lists[family].addSubnet(address, prefix, families[family])
  return text => {
    const ip = ipAddress(text)
    return ip !== undefined && lists[ip.family].check(ip.text, families[ip.family])
  }
}

/** The address in a part of X-Forwarded-For, which some proxies write with the port. */
function forwardedAddress(part: string): string | undefined {
  const text = part.trim()
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? []
  const [, dotted] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  return ipAddress(bracketed ?? dotted ?? text)?.text
}

/**
 * The client of a request from `peer` with this X-Forwarded-For: the last address in it that is not a trusted proxy, or `peer`
 * itself when that is not a trusted proxy. Everything before a part that is not an address is ignored.
 */
export function clientAddress(
  isTrusted: IsTrustedProxy,
  peer: string,
  forwardedFor: string | undefined,
): string {
  let address = ipAddress(peer)?.text ?? peer
  const parts = forwardedFor?.split(',') ?? []
  while (isTrusted(address)) {
    const next = forwardedAddress(parts.pop() ?? '')
    if (next === undefined) break
    address = next
  }
  return address
}
