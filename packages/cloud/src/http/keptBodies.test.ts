import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { keptBodies } from './keptBodies.ts'

/** A text that is long enough to be compressed, and that compression makes much shorter. */
const long = (word: string) => `${word} `.repeat(2_000)

describe('kept bodies', () => {
  it('are made and compressed once for each text of a place', async () => {
    const bodyOf = keptBodies()
    const first = bodyOf('a', long('one'))
    const [zipped, meanwhile] = [first.zipped(), bodyOf('a', long('one')).zipped()]
    expect(zipped).toBe(meanwhile)
    const bytes = await zipped
    expect(gunzipSync(bytes ?? '').equals(first.plain)).toBe(true)
    expect(first.plain.toString()).toBe(long('one'))
    const again = bodyOf('a', long('one'))
    expect([again.plain, again.zipped()]).toEqual([first.plain, bytes])
    expect(again.zipped()).toBe(bytes)
  })

  it('are always those of the text, also where it changes while the one before is compressed', async () => {
    const bodyOf = keptBodies()
    const before = bodyOf('a', long('one')).zipped()
    const after = bodyOf('a', long('two'))
    expect(gunzipSync((await before) ?? '').toString()).toBe(long('one'))
    for (const body of [after, bodyOf('a', long('two'))]) {
      expect(body.plain.toString()).toBe(long('two'))
      expect(gunzipSync((await body.zipped()) ?? '').toString()).toBe(long('two'))
    }
    expect(bodyOf('b', long('one')).plain.toString()).toBe(long('one'))
  })

  it('are not compressed below 1,400 bytes of UTF-8', async () => {
    const bodyOf = keptBodies()
    expect(bodyOf('a', 'x'.repeat(1_399)).zipped()).toBeUndefined()
    expect(await bodyOf('a', 'ă'.repeat(700)).zipped()).toBeInstanceOf(Buffer)
  })

  it('take no more than a limit, without those that were used least recently', async () => {
    const bodyOf = keptBodies(35_000)
    // Each takes 10,001 bytes, and the compressed one more.
    const text = (word: string) => word.repeat(10_000)
    const [a, b] = [bodyOf('a', text('a')), bodyOf('b', text('b'))]
    expect(bodyOf('a', text('a'))).toBe(a)
    const c = bodyOf('c', text('c'))
    expect(bodyOf('a', text('a'))).toBe(a)
    // The fourth is one too many: `b` was used least recently.
    bodyOf('d', text('d'))
    expect([bodyOf('c', text('c')), bodyOf('a', text('a'))]).toEqual([c, a])
    expect(bodyOf('b', text('b'))).not.toBe(b)
    expect(bodyOf('whole', text('whole')).plain).toHaveLength(50_000)
    expect(bodyOf('a', text('a'))).not.toBe(a)
  })

  it('count the compressed bytes too, and forget those of a text that was replaced', async () => {
    const bodyOf = keptBodies(20_060)
    const text = (word: string) => word.repeat(10_000)
    const a = bodyOf('a', text('a'))
    for (const word of ['b', 'c', 'd']) bodyOf('b', text(word))
    expect(bodyOf('a', text('a'))).toBe(a)
    await bodyOf('b', text('d')).zipped()
    // Compressed, both are a few bytes too large.
    await a.zipped()
    expect([bodyOf('a', text('a')) === a, bodyOf('b', text('d')).plain.length]).toEqual([false, 10_000])
  })
})
