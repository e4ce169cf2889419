// An authenticator like that of a phone, in a few lines: it makes a passkey, and answers challenges with it (WebAuthn level 3).

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The CBOR of an authenticator (RFC 8949): small numbers, bytes, texts and maps. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (kind: number, size: number) =>
    size < 24
      ? Buffer.from([(kind << 5) | size])
      : size < 256
        ? Buffer.from([(kind << 5) | 24, size])
        : Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, of]) => [cbor(key), cbor(of as string)]),
    ])
  return Buffer.concat([head(2, value.length), value])
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

interface Options {
  readonly challenge: string
}

/** `isVerified`: whether it has checked a finger, a face or a PIN. */
export function newAuthenticator(origin = 'http://localhost', rpId = 'localhost', isVerified = true) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (part: string) => Buffer.from(part, 'base64url')
  const key = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
  const id = randomBytes(16)
  let counter = 0

  const present = 0x01 | (isVerified ? 0x04 : 0)
  function authData(flags: number, more: Uint8Array = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }
  const clientData = (type: string, { challenge }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} }

  return {
    id: text(id),
    /** The result of `navigator.credentials.create`. */
    create(options: Options): object {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(present | 0x40, attested)],
      ])
      const response = {
        clientDataJSON: text(clientData('webauthn.create', options)),
        attestationObject: text(cbor(attestation)),
        transports: ['internal'],
      }
      return { ...common, response }
    },
    /** The result of `navigator.credentials.get`. */
    get(options: Options): object {
      counter += 1
      const data = authData(present)
      const client = clientData('webauthn.get', options)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      }
      return { ...common, response }
    },
  }
}
