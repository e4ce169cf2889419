// A guard over the bytes of an MQTT connection: limits each packet, and everything before the connection is accepted.

export interface PacketGuard {
  /** Whether the connection may continue after these bytes. */
  accept(bytes: Uint8Array): boolean
  /** The client is known: from now on only the size of each packet is limited. */
  admit(): void
}

/**
 * Follows the packets' lengths (MQTT 3.1.1, 2.2.3: one byte, then up to four of seven bits each, then that many bytes), because
 * the broker's parser would collect up to 256 MB for one packet.
 */
export function packetGuard(limits: {
  readonly beforeAdmission: number
  readonly packet: number
}): PacketGuard {
  let isAdmitted = false
  let received = 0
  // The remaining bytes of the present packet; undefined while its length is being read.
  let remaining: number | undefined
  let lengthBytes = 0
  let length = 0
  let hasType = false

  /** Reads one byte of a packet's beginning; false when the packet is too large or its length malformed. */
  function readHead(byte: number): boolean {
    if (!hasType) {
      hasType = true
      return true
    }
    length += (byte & 0x7f) * 128 ** lengthBytes
    lengthBytes++
    if (byte & 0x80) return lengthBytes < 4
    remaining = length
    return length <= limits.packet
  }

  function nextPacket() {
    remaining = undefined
    lengthBytes = 0
    length = 0
    hasType = false
  }

  return {
    accept(bytes) {
      received += bytes.length
      if (!isAdmitted && received > limits.beforeAdmission) return false
      for (let at = 0; at < bytes.length; ) {
        if (remaining === undefined) {
          // Not tested: no byte at `at`; the loop ends before.
          if (!readHead(bytes[at] ?? 0)) return false
          at++
        } else {
          const taken = Math.min(remaining, bytes.length - at)
          at += taken
          remaining -= taken
        }
        if (remaining === 0) nextPacket()
      }
      return true
    },
    admit() {
      isAdmitted = true
    },
  }
}
