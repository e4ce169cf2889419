// Limits connections per address and in total, and decides which one is closed when a limit is reached.

export interface ConnectionLimits {
  /** Connections of one address, whatever their rank. A trusted proxy is exempt. */
  readonly perAddress: number
  readonly total: number
  /** How long a stranger is kept, unless an address with fewer strangers needs the place; in milliseconds. */
  readonly promptMs: number
}

/**
 * Which connection is closed first. A stranger has not completed the headers of a request or has not logged in. A spare
 * one has, but waits: between two requests, for the rest of a request, or for its client to read the answer. A needed one
 * is at work and is never closed.
 */
export type Rank = 'stranger' | 'spare' | 'needed'

/**
 * The group of addresses that count as one: an IPv4 address alone, also where it is written as IPv6; and an IPv6 network of 64
 * bits, which is the least that a provider's customer has (RFC 6177).
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

/** The oldest connection of the address that has the most connections of a rank. */
interface Heaviest<C> {
  readonly address: string
  readonly connection: C
  readonly sinceMs: number
  readonly count: number
}

/** The connections of one rank by address, oldest first. Each step takes constant time. */
function crowd<C>() {
  const byAddress = new Map<string, Map<C, number>>()
  // The addresses by their number of connections.
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
    /** Where several addresses have the same number, the one that has had it for longest. */
    heaviest(): Heaviest<C> | undefined {
      const [address] = byCount[most] ?? []
      return address === undefined ? undefined : oldestOf(address)
    },
  }
}

interface Counted {
  readonly address: string
  readonly isTrusted: boolean
  rank: Rank
}

/** Enforces the limits. `isTrustedProxy` gets an address as it is written. A connection of a trusted proxy is never closed. */
export class ConnectionLimiter<C> {
  readonly #limits: ConnectionLimits
  readonly #isTrustedProxy: (address: string) => boolean
  readonly #counted = new Map<C, Counted>()
  readonly #perAddress = new Map<string, number>()
  readonly #crowds = { stranger: crowd<C>(), spare: crowd<C>() }

  constructor(limits: ConnectionLimits, isTrustedProxy: (address: string) => boolean) {
    this.#limits = limits
    this.#isTrustedProxy = isTrustedProxy
  }

  /** Adds a connection. Returns the one that must be closed for it: the new one itself where there is no place. */
  arrive(connection: C, writtenAddress: string, nowMs: number): C | undefined {
    const address = addressGroup(writtenAddress)
    const isTrusted = this.#isTrustedProxy(writtenAddress)
    const isCrowded = !isTrusted && (this.#perAddress.get(address) ?? 0) >= this.#limits.perAddress
    let evicted: C | undefined
    if (isCrowded) evicted = this.#givesWayWithin(address, nowMs) ?? connection
    else if (this.#counted.size >= this.#limits.total)
      evicted = this.#givesWayTo(address, nowMs) ?? connection
    if (evicted === connection) return connection
    if (evicted !== undefined) this.leave(evicted)
    const made: Counted = { address, isTrusted, rank: 'stranger' }
    this.#counted.set(connection, made)
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    this.#enter(connection, made, nowMs)
    return evicted
  }

  become(connection: C, rank: Rank, nowMs: number): void {
    const known = this.#counted.get(connection)
    if (!known || known.rank === rank) return
    this.#exit(connection, known)
    known.rank = rank
    this.#enter(connection, known, nowMs)
  }

  /** Removes a closed connection. Without effect on an unknown one. */
  leave(connection: C): void {
    const known = this.#counted.get(connection)
    if (!known) return
    this.#counted.delete(connection)
    this.#exit(connection, known)
    // Not tested: an address without a count; each counted connection has one.
    const left = (this.#perAddress.get(known.address) ?? 1) - 1
    if (left > 0) this.#perAddress.set(known.address, left)
    else this.#perAddress.delete(known.address)
  }

  #enter(connection: C, { address, isTrusted, rank }: Counted, nowMs: number): void {
    if (rank !== 'needed' && !isTrusted) this.#crowds[rank].add(address, connection, nowMs)
  }

  #exit(connection: C, { address, rank }: Counted): void {
    if (rank !== 'needed') this.#crowds[rank].remove(address, connection)
  }

  /** The connection that is closed for another one of the same address; undefined where none may be closed. */
  #givesWayWithin(address: string, nowMs: number): C | undefined {
    const { spare, stranger } = this.#crowds
    const oldest = stranger.oldestOf(address)
    if (oldest && nowMs - oldest.sinceMs >= this.#limits.promptMs) return oldest.connection
    return spare.oldestOf(address)?.connection
  }

  /**
   * The connection that is closed for one of another address; undefined where none may be closed. An address loses none where it
   * has no more connections than the new one's address.
   */
  #givesWayTo(address: string, nowMs: number): C | undefined {
    const { spare, stranger } = this.#crowds
    const strangers = stranger.heaviest()
    if (strangers) {
      const isHeavier = strangers.count > stranger.countOf(address) + 1
      if (isHeavier || nowMs - strangers.sinceMs >= this.#limits.promptMs) return strangers.connection
    }
    const spares = spare.heaviest()
    if (spares && this.#load(spares.address) > this.#load(address)) return spares.connection
    return spare.oldestOf(address)?.connection
  }

  /** How many connections of an address may be closed. */
  #load(address: string): number {
    return this.#crowds.stranger.countOf(address) + this.#crowds.spare.countOf(address)
  }
}
