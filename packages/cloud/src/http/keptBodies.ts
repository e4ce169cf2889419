// Kept bodies: the bytes of the lists that were answered last, plain and compressed, made once for each content.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The limit on the bytes of all kept bodies together. */
const usualMostBytes = 16_000_000
/**
 * A smaller answer fits into one packet, so compression saves nothing, and takes 20 µs for 1,000 bytes. It is not kept either: its
 * place would take more memory than its bytes.
 */
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
  bytes: number
}

/**
 * Keeps the bytes of the last `text` of each place, such as a list with its query. All bytes are compared, so they are always
 * those of the given text, whoever has asked before, and it needs no version of the database. The texts themselves are not kept:
 * they would double the memory. The places that were used least recently are dropped.
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

  function make(place: string, plain: Buffer): KeptBody {
    let zipped: Buffer | Promise<Buffer> | undefined
    const kept: KeptBody = {
      plain,
      bytes: 0,
      zipped() {
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
    const plain = Buffer.from(text)
    if (known?.plain.equals(plain)) {
      places.set(place, known)
      return known
    }
    if (known) bytes -= known.bytes
    if (plain.length < leastBytes) return { plain, zipped: () => undefined }
    const kept = make(place, plain)
    places.set(place, kept)
    grow(place, kept, place.length + plain.length)
    return kept
  }
}
