// Who may be connected: bounds per address and in total, and who gives way when a bound is reached.

export interface ConnectionLimits {
  /** Connections of one address, whatever they do. A trusted proxy is exempt. */
  readonly perAddress: number
  readonly total: number
  /** How long a stranger is left alone, unless an address with fewer strangers needs the place; in milliseconds. */
  readonly promptMs: number
}

/**
 * What a connection is worth. A stranger has not completed the headers of a request or has not logged in. A spare one
 * has, but waits: between two requests, for the rest of a request, or for its client to read the answer. A needed one
 * is at work and never gives way.
 */
export type Rank = 'stranger' | 'spare' | 'needed'

/**
 * The addresses that count as one: an IPv4 address alone, also where it is written as IPv6, and an IPv6 network of 64
 * bits, which is what one customer of a provider has at least (RFC 6177).
 */
export function addressGroup(address: string): string {
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.toLowerCase().split('%')
  const [head = '', tail] = plain.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const all = [...first, ...Array<string>(gap).fill('0'), ...last]
  const network = all.slice(0, 4).map(part => part.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

/** The oldest connection of the address that has the most of a rank. */
interface Heaviest<C> {
  readonly address: string
  readonly connection: C
  readonly sinceMs: number
  readonly count: number
}

/** The connections of one rank by address, the oldest first. Every step takes the same time, however many there are. */
function crowd<C>() {
  const byAddress = new Map<string, Map<C, number>>()
  // The addresses that have one connection, two connections, and so on.
  const byCount: Set<string>[] = []
  let most = 0

  function moved(address: string, before: number, after: number): void {
    byCount[before]?.delete(address)
    const peers = byCount[after] ?? new Set()
    byCount[after] = peers
    if (after > 0) peers.add(address)
    most = Math.max(most, after)
    while (most > 0 && !byCount[most]?.size) most--
  }
  const oldestOf = (address: string): Heaviest<C> | undefined => {
    const all = byAddress.get(address)
    const [oldest] = all ?? []
    return all && oldest && { address, connection: oldest[0], sinceMs: oldest[1], count: all.size }
  }

  return {
    oldestOf,
    countOf: (address: string) => byAddress.get(address)?.size ?? 0,
    add(address: string, connection: C, sinceMs: number) {
      const all = byAddress.get(address) ?? new Map<C, number>()
      byAddress.set(address, all.set(connection, sinceMs))
      moved(address, all.size - 1, all.size)
    },
    remove(address: string, connection: C) {
      const all = byAddress.get(address)
      if (!all?.delete(connection)) return
      if (all.size === 0) byAddress.delete(address)
      moved(address, all.size + 1, all.size)
    },
    /** Of several with as many, the address that has had so many for longest. */
    heaviest(): Heaviest<C> | undefined {
      const [address] = byCount[most] ?? []
      return address === undefined ? undefined : oldestOf(address)
    },
  }
}

export interface ConnectionBounds<C> {
  /** Counts a connection in, and answers with the one that has to be closed for it: itself when there is no place. */
  arrive(connection: C, address: string, nowMs: number): C | undefined
  become(connection: C, rank: Rank, nowMs: number): void
  /** It is closed. Of no effect on one that is not counted. */
  leave(connection: C): void
}

interface Counted {
  readonly address: string
  readonly isTrusted: boolean
  rank: Rank
}

/** Keeps to the limits. `isTrustedProxy` gets an address as it is written; what it trusts never gives way. */
export function connectionBounds<C>(
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): ConnectionBounds<C> {
  const counted = new Map<C, Counted>()
  const perAddress = new Map<string, number>()
  const crowds = { stranger: crowd<C>(), spare: crowd<C>() }

  function enter(connection: C, { address, isTrusted, rank }: Counted, nowMs: number) {
    if (rank !== 'needed' && !isTrusted) crowds[rank].add(address, connection, nowMs)
  }
  function exit(connection: C, { address, rank }: Counted) {
    if (rank !== 'needed') crowds[rank].remove(address, connection)
  }

  function remove(connection: C): void {
    const known = counted.get(connection)
    if (!known) return
    counted.delete(connection)
    exit(connection, known)
    const left = (perAddress.get(known.address) ?? 1) - 1
    if (left > 0) perAddress.set(known.address, left)
    else perAddress.delete(known.address)
  }

  /** Who makes room within the address; undefined: nobody may. */
  function givesWayWithin(address: string, nowMs: number): C | undefined {
    const stranger = crowds.stranger.oldestOf(address)
    if (stranger && nowMs - stranger.sinceMs >= limits.promptMs) return stranger.connection
    return crowds.spare.oldestOf(address)?.connection
  }

  /** The connections of an address that may have to give way. */
  const load = (address: string) => crowds.stranger.countOf(address) + crowds.spare.countOf(address)

  /** Who makes room for a connection of the address; undefined: nobody may. An address that has no more loses nothing. */
  function givesWayTo(address: string, nowMs: number): C | undefined {
    const stranger = crowds.stranger.heaviest()
    if (stranger) {
      const isHeavier = stranger.count > crowds.stranger.countOf(address) + 1
      if (isHeavier || nowMs - stranger.sinceMs >= limits.promptMs) return stranger.connection
    }
    const spare = crowds.spare.heaviest()
    if (spare && load(spare.address) > load(address)) return spare.connection
    return crowds.spare.oldestOf(address)?.connection
  }

  return {
    arrive(connection, writtenAddress, nowMs) {
      const address = addressGroup(writtenAddress)
      const isTrusted = isTrustedProxy(writtenAddress)
      const isCrowded = !isTrusted && (perAddress.get(address) ?? 0) >= limits.perAddress
      let evicted: C | undefined
      if (isCrowded) evicted = givesWayWithin(address, nowMs) ?? connection
      else if (counted.size >= limits.total) evicted = givesWayTo(address, nowMs) ?? connection
      if (evicted === connection) return connection
      if (evicted !== undefined) remove(evicted)
      const made: Counted = { address, isTrusted, rank: 'stranger' }
      counted.set(connection, made)
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
      enter(connection, made, nowMs)
      return evicted
    },
    become(connection, rank, nowMs) {
      const known = counted.get(connection)
      if (!known || known.rank === rank) return
      exit(connection, known)
      known.rank = rank
      enter(connection, known, nowMs)
    },
    leave: remove,
  }
}
