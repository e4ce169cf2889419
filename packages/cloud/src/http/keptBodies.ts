// Kept bodies: the bytes of the lists that were answered last, plain and compressed, made once for each content.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The limit on the bytes of all kept bodies together. */
export const usualMostBytes = 16_000_000
/** A smaller answer fits into one packet, so compression saves nothing. It takes 20 µs for 1,000 bytes. */
const leastBytes = 1_400
/** 50 gates, 11,900 bytes: 2,170 bytes in 52 µs with level 1, 2,060 in 81 µs with level 6, 2,030 in 117 µs with level 9. */
const level = 1

const zip = promisify(gzip)

export interface ListBody {
  readonly plain: Buffer
  /** Compressed by gzip, in Node's threads; undefined where that saves nothing. */
  zipped(): Buffer | undefined | Promise<Buffer>
}

interface KeptBody extends ListBody {
  readonly text: string
  bytes: number
}

/**
 * Keeps the bytes of the last `text` of each place, such as a list with its query. The whole texts are compared, so the bytes are
 * always those of the given text, whoever has asked before. It needs no version of the database: where the text is the same
 * object as before, the comparison takes no time. The places that were used least recently are dropped.
 */
export function keptBodies(mostBytes = usualMostBytes): (place: string, text: string) => ListBody {
  const places = new Map<string, KeptBody>()
  let bytes = 0

  function drop(place: string, kept: KeptBody): void {
    places.delete(place)
    bytes -= kept.bytes
  }

  function grow(place: string, kept: KeptBody, by: number): void {
    // Another text may have taken its place meanwhile.
    if (places.get(place) !== kept) return
    kept.bytes += by
    bytes += by
    for (const [oldest, one] of places) {
      if (bytes <= mostBytes) return
      drop(oldest, one)
    }
  }

  function make(place: string, text: string): KeptBody {
    let zipped: Buffer | Promise<Buffer> | undefined
    const kept: KeptBody = {
      text,
      plain: Buffer.from(text),
      bytes: 0,
      zipped() {
        if (kept.plain.length < leastBytes) return undefined
        zipped ??= zip(kept.plain, { level }).then(made => {
          zipped = made
          grow(place, kept, made.length)
          return made
        })
        return zipped
      },
    }
    return kept
  }

  return (place, text) => {
    const known = places.get(place)
    // The place becomes the one that was used last.
    if (known) places.delete(place)
    if (known?.text === text) {
      places.set(place, known)
      return known
    }
    if (known) bytes -= known.bytes
    const kept = make(place, text)
    places.set(place, kept)
    grow(place, kept, place.length + text.length + kept.plain.length)
    return kept
  }
}
