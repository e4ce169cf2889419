// A TCP proxy before a broker: reads each MQTT packet, and holds, cuts or half-closes as it is told.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Packet, packetSplitter } from './mqttPackets.ts'

export type Direction = 'toBroker' | 'toGateway'

export interface WireProxy {
  readonly port: number
  /** Cuts every connection; until `heal`, new ones are cut as well. */
  cut(): void
  /** Nothing is handed on until `heal`; the connections stay. */
  silence(): void
  heal(): void
  /** Ends what is sent in one direction, as a peer does that will say nothing more. */
  halfClose(direction: Direction): void
  close(): Promise<void>
}

/**
 * Starts one on 127.0.0.1. `pass` sees every packet before it is handed on, in order; what it resolves with is its
 * fate, so a packet is held for as long as it takes.
 */
export async function startProxy(
  brokerPort: number,
  pass: (direction: Direction, packet: Packet) => Promise<'forward' | 'drop'>,
): Promise<WireProxy> {
  const pairs = new Set<Readonly<Record<Direction, Socket>>>()
  let isCut = false
  let silent = Promise.resolve()
  let breakSilence = () => {}

  function carry(direction: Direction, from: Socket, to: Socket): void {
    const split = packetSplitter()
    let last = Promise.resolve()
    const inTurn = (work: () => Promise<void>) => {
      last = last.then(work)
    }
    from.on('data', bytes => {
      for (const packet of split(Buffer.from(bytes)))
        inTurn(async () => {
          const fate = await pass(direction, packet)
          await silent
          if (fate === 'forward' && to.writable) to.write(packet.bytes)
        })
    })
    from.on('end', () => inTurn(async () => void to.end()))
    from.on('close', () => inTurn(async () => void to.destroy()))
    from.on('error', () => {})
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, gateway => {
    if (isCut) return gateway.destroy()
    const broker = connect({ host: '127.0.0.1', port: brokerPort, allowHalfOpen: true, noDelay: true })
    // Named by where what is written to them goes.
    const pair = { toBroker: broker, toGateway: gateway }
    pairs.add(pair)
    gateway.once('close', () => pairs.delete(pair))
    carry('toBroker', gateway, broker)
    carry('toGateway', broker, gateway)
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
      silent = new Promise(resolve => {
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
