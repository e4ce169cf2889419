// A connection to a broker over TLS that counts the bytes that a gateway's data plan would pay for.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { selfSigned } from '@callgate/mqtt/certificate.kit'

/** The bytes on the TCP socket of the gateway, including TLS records, both ways. */
export interface Traffic {
  readonly bytes: number
  /** How often bytes came: about the number of TCP segments with data. */
  readonly pieces: number
}

export interface MeteredTls {
  readonly url: string
  /** The PEM that the gateway has to trust. */
  readonly ca: string
  /** Since the start. */
  traffic(): Traffic
  close(): void
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one)
  for (const socket of [one, other]) socket.on('error', () => socket.destroy())
  one.once('close', () => other.destroy())
  other.once('close', () => one.destroy())
}

/**
 * TLS ends here; behind it is the broker's port without TLS. Each record has the same length as with a broker that speaks TLS
 * itself.
 */
export async function meterTls(brokerPort: number): Promise<MeteredTls> {
  let bytes = 0
  let pieces = 0
  const toHere = (port: number) => connect({ host: '127.0.0.1', port, noDelay: true })
  const inner = createTlsServer({ ...selfSigned, noDelay: true }, socket => join(socket, toHere(brokerPort)))
  const innerPort = await listen(inner)
  const outer = createServer({ noDelay: true }, gateway => {
    const server = toHere(innerPort)
    for (const socket of [gateway, server])
      socket.on('data', chunk => {
        bytes += chunk.length
        pieces += 1
      })
    join(gateway, server)
  })
  const port = await listen(outer)
  return {
    url: `mqtts://localhost:${port}`,
    ca: selfSigned.cert,
    traffic: () => ({ bytes, pieces }),
    close() {
      outer.close()
      inner.close()
    },
  }
}
