// Limits event streams: by one credential, from one address, and in all.

export interface StreamLimits {
  /** The limit for one address, or for one IPv6 network of 64 bits. */
  readonly perAddress: number
  readonly total: number
}

/** The client of a stream. */
export interface StreamPlace {
  readonly credential: string
  /** The limit on streams of this credential. */
  readonly most: number
  /** The group of addresses that count as one: see `addressGroup`. */
  readonly address: string
}

export type FullLimit = 'credential' | 'address' | 'total'

/** Counts streams. Each successful `take` needs one `leave`. */
export class StreamLimiter {
  readonly #limits: StreamLimits
  readonly #byCredential = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()
  #total = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Counts one more stream, or names the limit that is reached. */
  take({ address, credential, most }: StreamPlace): FullLimit | undefined {
    const byCredential = this.#byCredential.get(credential) ?? 0
    const byAddress = this.#byAddress.get(address) ?? 0
    if (byCredential >= most) return 'credential'
    if (byAddress >= this.#limits.perAddress) return 'address'
    if (this.#total >= this.#limits.total) return 'total'
    this.#byCredential.set(credential, byCredential + 1)
    this.#byAddress.set(address, byAddress + 1)
    this.#total += 1
    return undefined
  }

  leave({ address, credential }: Pick<StreamPlace, 'address' | 'credential'>): void {
    lessOne(this.#byCredential, credential)
    lessOne(this.#byAddress, address)
    this.#total -= 1
  }
}

function lessOne(counts: Map<string, number>, key: string): void {
  // Not tested: a key without a count; what leaves has been taken.
  const left = (counts.get(key) ?? 1) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
