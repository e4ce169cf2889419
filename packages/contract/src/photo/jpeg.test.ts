import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { photoFault, photoLimits, withoutMetadata } from './jpeg.ts'

const piece = (marker: number, content: readonly number[]) => {
  const length = content.length + 2
  return [0xff, marker, length >> 8, length & 255, ...content]
}
const frame = (width: number, height: number, marker = 0xc0) =>
  piece(marker, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
const quantization = piece(0xdb, [0, ...Array(64).fill(1)])
const huffman = piece(0xc4, [0, ...Array(16).fill(0)])
const scan = [...piece(0xda, [1, 1, 0, 0, 63, 0]), 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]
const file = (...parts: readonly (readonly number[])[]) =>
  Uint8Array.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9])
const text = (words: string) => [...Buffer.from(words)]

const plain = file(quantization, frame(640, 480), huffman, scan)
const exif = piece(0xe1, text('Exif\0\0place'))
const comment = piece(0xfe, text('by Ana'))

/** A random piece that draws nothing: of an application, or a comment. */
const extra = fc
  .tuple(
    fc.constantFrom(...Array.from({ length: 16 }, (_, place) => 0xe0 + place), 0xfe),
    fc.uint8Array({ maxLength: 90 }),
  )
  .map(([marker, content]) => piece(marker, [...content]))

describe('a photo', () => {
  it('S2: is a baseline JPEG of one scan, as large as the limits', () => {
    const ofBytes = (bytes: number) =>
      file(
        [...quantization, ...piece(0xdb, Array(bytes - plain.length - 4).fill(0))],
        frame(640, 480),
        huffman,
        scan,
      )
    expect(ofBytes(photoLimits.bytes)).toHaveLength(photoLimits.bytes)
    expect(photoFault(ofBytes(photoLimits.bytes))).toBeUndefined()
    expect(photoFault(ofBytes(photoLimits.bytes + 1))).toBe('too_many_bytes')
    expect(photoFault(plain)).toBeUndefined()
    expect(photoFault(file(quantization, frame(1, 1), piece(0xdd, [0, 4]), huffman, scan))).toBeUndefined()
  })

  it.each([
    ['too_large', frame(641, 480)],
    ['too_large', frame(640, 481)],
    ['too_large', frame(0, 480)],
    ['too_large', frame(640, 0)],
    ['no_baseline', frame(640, 480, 0xc2)],
    ['no_baseline', [...frame(640, 480), ...frame(1, 1)]],
    ['no_baseline', piece(0xc0, [8, 1, 224, 2, 128, 4, 1, 0x11, 0])],
    ['no_baseline', piece(0xc0, [12, 1, 224, 2, 128, 1, 1, 0x11, 0])],
    ['no_baseline', []],
  ])('S2: is refused as %s by its frame', (fault, other) => {
    expect(photoFault(file(quantization, other, huffman, scan))).toBe(fault)
  })

  it.each([
    ['two scans', file(quantization, frame(9, 9), huffman, scan, scan)],
    ['no scan', file(quantization, frame(9, 9), huffman)],
    ['tables behind the scan', file(quantization, frame(9, 9), scan, huffman)],
  ])('is refused with %s', (_, bytes) => {
    expect(photoFault(bytes)).toBe('no_baseline')
  })

  it.each([
    ['EXIF', exif],
    ['a comment', comment],
    ['JFIF, which may have a preview', piece(0xe0, text('JFIF\0'))],
    ['a profile', piece(0xe2, text('ICC_PROFILE\0'))],
  ])('S2: is refused with %s', (_, beside) => {
    expect(photoFault(file(beside, quantization, frame(9, 9), huffman, scan))).toBe('has_metadata')
    expect(photoFault(file(quantization, frame(9, 9), huffman, beside, scan))).toBe('has_metadata')
  })

  it.each([
    ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['an SVG', Uint8Array.from(text('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['a WebP', Uint8Array.from(text('RIFF\x20\0\0\0WEBPVP8 '))],
    ['nothing', new Uint8Array()],
    ['a file behind the picture', Uint8Array.from([...plain, ...text('<script>')])],
    ['a file before the picture', Uint8Array.from([0x0a, ...plain])],
    ['a piece of a reserved kind', file([0xff, 0x02, 0, 2], quantization, frame(9, 9), huffman, scan)],
    ['a piece without a length', file([0xff, 0xc4, 0, 1], frame(9, 9), scan)],
    ['a picture in the picture', file(quantization, [0xff, 0xd8], frame(9, 9), scan)],
  ])('is not %s', (_, bytes) => {
    expect(photoFault(bytes)).toBe('no_jpeg')
    expect(withoutMetadata(bytes)).toBeUndefined()
  })

  it('has at most as many bytes as the limit', () => {
    const empty = file(quantization, frame(9, 9), huffman, scan)
    const filled = (count: number) =>
      file(quantization, frame(9, 9), huffman, [...scan, ...Array(count - empty.length).fill(0x11)])
    expect(photoFault(filled(photoLimits.bytes))).toBeUndefined()
    expect(photoFault(filled(photoLimits.bytes + 1))).toBe('too_many_bytes')
  })

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < plain.length; length++)
      expect(photoFault(plain.subarray(0, length)), `${length} bytes`).toBe('no_jpeg')
  })
})

it('takes out everything that does not draw, and nothing else', () => {
  const spread = fc.tuple(...Array.from({ length: 4 }, () => fc.array(extra, { maxLength: 3 })))
  fc.assert(
    fc.property(spread, ([a = [], b = [], c = [], d = []]) => {
      const bytes = file(a.flat(), quantization, b.flat(), frame(640, 480), c.flat(), huffman, d.flat(), scan)
      expect(withoutMetadata(bytes)).toEqual(plain)
      const hasExtra = [a, b, c, d].some(({ length }) => length > 0)
      expect(photoFault(bytes)).toBe(hasExtra ? 'has_metadata' : undefined)
    }),
  )
})

it('reads any bytes to their end, and never takes one that it would not write', () => {
  const changed = fc
    .array(fc.tuple(fc.nat(plain.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
    .map(edits => {
      const bytes = plain.slice()
      for (const [at, value] of edits) bytes[at] = value
      return bytes
    })
  const marked = fc
    .uint8Array({ maxLength: 200 })
    .map(bytes => Uint8Array.from([0xff, 0xd8, ...bytes, 0xff, 0xd9]))
  fc.assert(
    fc.property(fc.oneof(changed, marked, fc.uint8Array({ maxLength: 200 })), bytes => {
      const fault = photoFault(bytes)
      const kept = withoutMetadata(bytes)
      if (fault === undefined) expect(kept).toEqual(bytes)
      if (kept) expect(photoFault(kept)).not.toBe('has_metadata')
    }),
    { numRuns: 2_000 },
  )
})
