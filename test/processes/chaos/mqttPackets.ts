// MQTT 3.1.1 packets that pass a proxy: a stream of bytes is cut into packets, and a PUBLISH is read.

export interface Packet {
  /** The whole packet, ready to be passed on. */
  readonly bytes: Buffer
  /** Present for a PUBLISH. */
  readonly published?: { readonly topic: string; readonly payload: string }
}

/** The end and the value of the remaining length (section 2.2.3); undefined while bytes are missing. */
function readLength(bytes: Buffer): { readonly headerBytes: number; readonly bodyBytes: number } | undefined {
  let bodyBytes = 0
  for (let place = 1; place <= 4; place++) {
    const digit = bytes[place]
    if (digit === undefined) return undefined
    bodyBytes += (digit & 127) * 128 ** (place - 1)
    if (digit < 128) return { headerBytes: place + 1, bodyBytes }
  }
  throw new Error('no MQTT: the remaining length has more than four bytes')
}

function readPublished(bytes: Buffer, headerBytes: number): Packet['published'] {
  const first = bytes[0] ?? 0
  if (first >> 4 !== 3) return undefined
  const topicEnd = headerBytes + 2 + bytes.readUInt16BE(headerBytes)
  const hasId = (first & 6) !== 0
  return {
    topic: bytes.toString('utf8', headerBytes + 2, topicEnd),
    payload: bytes.toString('utf8', topicEnd + (hasId ? 2 : 0)),
  }
}

/** Cuts a stream into packets: each call takes the next bytes and returns the packets that they complete. */
export function packetSplitter(): (bytes: Buffer) => Packet[] {
  let waiting = Buffer.alloc(0)
  return bytes => {
    waiting = Buffer.concat([waiting, bytes])
    const packets: Packet[] = []
    for (let length = readLength(waiting); length; length = readLength(waiting)) {
      const size = length.headerBytes + length.bodyBytes
      if (waiting.length < size) break
      const whole = waiting.subarray(0, size)
      waiting = waiting.subarray(size)
      const published = readPublished(whole, length.headerBytes)
      packets.push({ bytes: whole, ...(published && { published }) })
    }
    return packets
  }
}
