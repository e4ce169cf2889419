// The pieces of a JPEG file (ITU-T T.81): which of them draw the picture, and whether a file has these alone. So a photo carries no place,
// no name and no second picture. The browser takes out what is too much, and the cloud refuses it.

/** A photo of a gate: a picture of 4 to 3, small enough for a line of 48 kbit/s. */
export const photoLimits = { width: 640, height: 480, bytes: 60_000 } as const

/** The second bytes of markers. */
const tables = { huffman: 0xc4, quantization: 0xdb, restartInterval: 0xdd } as const
const baselineFrame = 0xc0
const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const drawing: ReadonlySet<number> = new Set([...Object.values(tables), baselineFrame, startOfScan])

/** A piece of a file, with its marker at `start`. */
interface Piece {
  readonly marker: number
  readonly start: number
  readonly end: number
}

/** Whether the second byte belongs to coded data: a stuffed zero, or the number of a restart. */
const isInScan = (second: number | undefined) =>
  second === 0 || (second !== undefined && second >> 3 === 0x1a)

/** The place of the first marker after coded data that begins at `from`; the length of the file where there is none. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === 0xff && !isInScan(bytes[at + 1])) return at
  return bytes.length
}

/** The piece at `start`; undefined where no whole one begins. */
function pieceAt(bytes: Uint8Array, start: number): Piece | undefined {
  const [first, marker = 0, high = 0, low = 0] = bytes.subarray(start, start + 4)
  const length = high * 256 + low
  // A marker below c0 is reserved; d0 to d9 have no length.
  if (first !== 0xff || marker < baselineFrame || (marker >= 0xd0 && marker <= endOfImage) || length < 2)
    return undefined
  const after = start + 2 + length
  const end = marker === startOfScan ? endOfScan(bytes, after) : after
  return end < bytes.length ? { marker, start, end } : undefined
}

/** The pieces between the first and the last marker of a file; undefined where the bytes are not one JPEG file from first to last. */
function piecesOf(bytes: Uint8Array): readonly Piece[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return undefined
  const pieces: Piece[] = []
  let at = 2
  while (at !== bytes.length - 2 || bytes[at] !== 0xff || bytes[at + 1] !== endOfImage) {
    const piece = pieceAt(bytes, at)
    if (!piece) return undefined
    pieces.push(piece)
    at = piece.end
  }
  return pieces
}

/** The same picture without anything that does not draw it: no EXIF, comment, profile or preview. Undefined where it is no JPEG. */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | undefined {
  const pieces = piecesOf(bytes)?.filter(({ marker }) => drawing.has(marker))
  if (!pieces) return undefined
  const kept = [bytes.subarray(0, 2), ...pieces.map(({ end, start }) => bytes.subarray(start, end))]
  const whole = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 2))
  let at = 0
  for (const part of kept) {
    whole.set(part, at)
    at += part.length
  }
  whole.set([0xff, endOfImage], at)
  return whole
}

/** What is wrong with a photo. */
export type PhotoFault = 'too_many_bytes' | 'no_jpeg' | 'has_metadata' | 'no_baseline' | 'too_large'

/** The width and height of a frame with one or three components of 8 bits; undefined for another one. */
function sizeOf(bytes: Uint8Array, { end, start }: Piece) {
  const [precision, highY = 0, lowY = 0, highX = 0, lowX = 0, components = 0] = bytes.subarray(start + 4, end)
  const isUsual = precision === 8 && (components === 1 || components === 3)
  return isUsual && end - start === 10 + 3 * components
    ? { width: highX * 256 + lowX, height: highY * 256 + lowY }
    : undefined
}

/**
 * Why the bytes are no photo; undefined where they are. A photo is one baseline JPEG of one scan, as the canvas of each browser writes it,
 * with nothing before, between or behind its pieces.
 */
export function photoFault(bytes: Uint8Array): PhotoFault | undefined {
  if (bytes.length > photoLimits.bytes) return 'too_many_bytes'
  const pieces = piecesOf(bytes)
  if (!pieces) return 'no_jpeg'
  const isOther = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== tables.huffman
  const frames = pieces.filter(({ marker }) => isOther(marker))
  const [frame, ...more] = frames
  const scans = pieces.filter(({ marker }) => marker === startOfScan)
  const last = pieces.at(-1)
  if (frame?.marker !== baselineFrame || more.length > 0 || scans.length !== 1 || last !== scans[0])
    return 'no_baseline'
  if (pieces.some(({ marker }) => !drawing.has(marker))) return 'has_metadata'
  const size = sizeOf(bytes, frame)
  if (!size) return 'no_baseline'
  const { height, width } = size
  const isSmall = width > 0 && height > 0 && width <= photoLimits.width && height <= photoLimits.height
  return isSmall ? undefined : 'too_large'
}
