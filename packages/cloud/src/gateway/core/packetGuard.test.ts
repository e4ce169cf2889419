import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packetGuard } from './packetGuard.ts'

const limits = { beforeAdmission: 1_000, packet: 500 }

/** A packet with a body of `length` bytes, and its length in the form of MQTT. */
function packet(length: number): Uint8Array {
  const head = [0x30]
  let rest = length
  do {
    head.push((rest % 128) | (rest >= 128 ? 0x80 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Uint8Array.from([...head, ...new Array<number>(length).fill(0xff)])
}

describe('packetGuard', () => {
  it('accepts packets up to the limit and no larger one, however the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        (lengths, step) => {
          const guard = packetGuard(limits)
          guard.admit()
          const bytes = Buffer.concat(lengths.map(packet))
          let isAccepted = true
          for (let at = 0; at < bytes.length && isAccepted; at += step)
            isAccepted = guard.accept(bytes.subarray(at, at + step))
          expect(isAccepted).toBe(lengths.every(length => length <= limits.packet))
        },
      ),
    )
  })

  it('refuses a length of five bytes', () => {
    const guard = packetGuard(limits)
    expect(guard.accept(Uint8Array.from([0x10, 0x80, 0x80, 0x80, 0x80]))).toBe(false)
  })

  it('limits everything that arrives before the client is known', () => {
    const guard = packetGuard(limits)
    expect(guard.accept(packet(400))).toBe(true)
    expect(guard.accept(packet(400))).toBe(true)
    expect(guard.accept(packet(400))).toBe(false)
  })
})
