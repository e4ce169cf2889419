// Masks for numbers: the same number has the same mask in one file, of the same length, which a driver can still dial and compare.

/** +83 is assigned to no country (ITU-T E.164, list of assigned codes). */
const spareCode = '83'

/**
 * The masks of one file. Two notations of one number end in the same eight digits, and so do their masks: `+40…`, `0…`.
 */
export class NumberMasks {
  readonly #known = new Map<string, number>()
  readonly #given = new Set<string>()

  /** How many different numbers were masked. */
  get count(): number {
    return this.#known.size
  }

  /** As many digits as `digits` has. A mask is its own mask. */
  of(digits: string): string {
    if (this.#given.has(digits)) return digits
    const key = digits.slice(-8)
    const place = this.#known.get(key) ?? this.#known.size + 1
    this.#known.set(key, place)
    const end = `5${String(place).padStart(7, '0')}`
    const before = Math.max(0, digits.length - 8)
    const begin = digits.startsWith('0') ? '0'.repeat(before) : spareCode.padEnd(before, '0').slice(0, before)
    const short = `5${String(place).padStart(Math.max(0, digits.length - 1), '0')}`.slice(0, digits.length)
    const mask = digits.length < 8 ? short : `${begin}${end}`
    this.#given.add(mask)
    return mask
  }

  /** Masks the digits of a text in which other characters may stand between them. */
  within(text: string): string {
    const digits = text.replace(/\D/g, '')
    if (digits === '') return text
    const mask = this.of(digits)
    let place = 0
    return text.replace(/\d/g, () => mask.charAt(place++))
  }
}
