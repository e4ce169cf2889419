// A TCP proxy for fault injection, in front of a broker or a database: it can hold packets, and cut or half-close connections.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Packet, packetSplitter } from './mqttPackets.ts'

export type Direction = 'toBroker' | 'toGateway'

export interface WireProxy {
  readonly port: number
  /** Cuts every connection, and new ones as well, until `heal`. */
  cut(): void
  /** Forwards nothing until `heal`. The connections stay open. */
  silence(): void
  heal(): void
  /** Half-closes every connection: no more bytes pass in this direction. */
  halfClose(direction: Direction): void
  close(): Promise<void>
}

/** Decides about a packet before it is forwarded. The packet is held until the promise resolves. */
type Pass = (direction: Direction, packet: Packet) => Promise<'forward' | 'drop'>

/** Bytes as they come, where nothing inspects packets. */
const unsplit = (bytes: Buffer): Packet[] => [{ bytes }]

/** Forwards the bytes of one socket to the other, packet by packet and in order. `silence` resolves when the silence is over. */
function forwardPackets(
  direction: Direction,
  from: Socket,
  to: Socket,
  pass: Pass | undefined,
  silence: () => Promise<void>,
): void {
  const split = pass ? packetSplitter() : unsplit
  let last = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work)
  }
  from.on('data', bytes => {
    for (const packet of split(Buffer.from(bytes)))
      inTurn(async () => {
        const fate = await pass?.(direction, packet)
        await silence()
        if (fate !== 'drop' && to.writable) to.write(packet.bytes)
      })
  })
  from.on('end', () => inTurn(async () => void to.end()))
  from.on('close', () => inTurn(async () => void to.destroy()))
  from.on('error', () => {})
}

/** Connects to the other side. Only with `allowHalfOpen` can one direction be closed alone. */
export type Reach = () => Socket

export const reachPort =
  (port: number): Reach =>
  () =>
    connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true })

/** Starts a proxy on 127.0.0.1. `pass` receives every MQTT packet, in order; without it, any bytes are passed on. */
export async function startProxy(reach: Reach, pass?: Pass): Promise<WireProxy> {
  const pairs = new Set<Readonly<Record<Direction, Socket>>>()
  let isCut = false
  let silence = Promise.resolve()
  let breakSilence = () => {}

  const server = createServer({ allowHalfOpen: true, noDelay: true }, gateway => {
    if (isCut) return gateway.destroy()
    const broker = reach()
    // Each socket is named by the destination of the bytes that are written to it.
    const pair = { toBroker: broker, toGateway: gateway }
    pairs.add(pair)
    gateway.once('close', () => pairs.delete(pair))
    forwardPackets('toBroker', gateway, broker, pass, () => silence)
    forwardPackets('toGateway', broker, gateway, pass, () => silence)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function cut(): void {
    isCut = true
    for (const { toBroker, toGateway } of pairs) {
      toBroker.destroy()
      toGateway.destroy()
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence() {
      silence = new Promise(resolve => {
        breakSilence = resolve
      })
    },
    heal() {
      isCut = false
      breakSilence()
    },
    halfClose(direction) {
      for (const pair of pairs) pair[direction].end()
    },
    async close() {
      cut()
      breakSilence()
      server.close()
      await once(server, 'close')
    },
  }
}
