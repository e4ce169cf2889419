// A text as a QR code: the path of its dark modules, for the screen, for paper and for a picture.

/** Empty modules around the code, as ISO/IEC 18004 asks. */
const quietZone = 4

export interface QrPath {
  /** The width and the height in modules, with the quiet zone. */
  readonly size: number
  /** One square for each dark module. */
  readonly path: string
}

/** The library is loaded when the first code is shown. */
export async function qrPathOf(text: string): Promise<QrPath> {
  const { generate } = await import('lean-qr')
  const code = generate(text)
  const places = Array.from({ length: code.size }, (_, place) => place)
  const squares = places.flatMap(y =>
    places.filter(x => code.get(x, y)).map(x => `M${x + quietZone} ${y + quietZone}h1v1h-1z`),
  )
  return { size: code.size + 2 * quietZone, path: squares.join('') }
}
