// The judge of our end of MQTT: the real client against a broker that is played, byte by byte.

import { type Duplex, duplexPair } from 'node:stream'
import { connectMqtt } from '@callgate/mqtt/mqttConnection'
import { packetSplitter } from '../../../processes/chaos/mqttPackets.ts'

interface Published {
  /** 1 for the first connection. */
  readonly connection: number
  readonly payload: string
  readonly isRetained: boolean
}

const type = { connect: 1, publish: 3, subscribe: 8, ping: 12 } as const

/**
 * Lets everybody in and notes what is published. The first connection breaks before it can acknowledge anything, and
 * the second is refused its topics.
 */
function playedBroker() {
  const published: Published[] = []
  const pairs: (readonly [Duplex, Duplex])[] = []
  let onPublished: () => void = () => {}

  function receive(stream: Duplex, connection: number, bytes: Buffer, said?: { payload: string }) {
    const [first = 0] = bytes
    if (first >> 4 === type.connect) stream.write(Buffer.of(0x20, 2, 0, 0))
    if (first >> 4 === type.subscribe)
      stream.write(Buffer.of(0x90, 3, bytes[2] ?? 0, bytes[3] ?? 0, connection === 2 ? 0x80 : 1))
    if (first >> 4 === type.ping) stream.write(Buffer.of(0xd0, 0))
    if (first >> 4 !== type.publish || !said) return
    // The topic is one letter long, and the message's number stands behind it. A goodbye is never acknowledged.
    if (connection > 1 && said.payload !== 'goodbye')
      stream.write(Buffer.of(0x40, 2, ...bytes.subarray(5, 7)))
    published.push({ connection, payload: said.payload, isRetained: (first & 1) === 1 })
    onPublished()
  }

  return {
    published,
    connect(): Duplex {
      const [ours, theirs] = duplexPair()
      const connection = pairs.push([ours, theirs])
      const split = packetSplitter()
      ours.on('data', (bytes: Buffer) => {
        for (const packet of split(bytes)) receive(ours, connection, packet.bytes, packet.published)
      })
      return theirs
    },
    /** A message at QoS 0 with one letter as its topic and one as its payload. */
    say(isRetained: boolean) {
      pairs.at(-1)?.[0].write(Buffer.of(isRetained ? 0x31 : 0x30, 4, 0, 1, 0x61, isRetained ? 0x72 : 0x6c))
    },
    cut: () => pairs.at(-1)?.forEach(end => void end.destroy()),
    untilPublished: (payload: string) =>
      new Promise<void>(resolve => {
        onPublished = () => {
          if (published.some(one => one.payload === payload)) resolve()
        }
        onPublished()
      }),
  }
}

/** Something that happens now and then, and can be waited for. */
function bell() {
  let ring: () => void = () => {}
  const next = () =>
    new Promise<void>(resolve => {
      ring = resolve
    })
  return { ring: () => ring(), next }
}

export async function judge(): Promise<readonly string[]> {
  const broker = playedBroker()
  const [connected, disconnected, heard] = [bell(), bell(), bell()]
  const messages: string[] = []
  const firstTime = connected.next()
  const connection = connectMqtt(
    { to: broker.connect, clientId: 'gw', subscribe: ['a'] },
    {
      onConnect: connected.ring,
      onDisconnect: disconnected.ring,
      onRefused: () => {},
      onMessage(_, payload) {
        messages.push(Buffer.from(payload).toString())
        heard.ring()
      },
    },
  )
  await firstTime
  connection.publish('b', 'in time')
  await broker.untilPublished('in time')
  const live = heard.next()
  broker.say(true)
  broker.say(false)
  await live
  const [lost, again] = [disconnected.next(), connected.next()]
  broker.cut()
  await lost
  const isTaken = connection.publish('b', 'while offline')
  await again
  connection.publish('b', 'back again')
  await broker.untilPublished('back again')
  await connection.close({ topic: 'b', payload: 'goodbye' }, Promise.resolve())
  const late = broker.published.filter(
    one => one.connection > 1 && !['back again', 'goodbye'].includes(one.payload),
  )
  return [
    ...(broker.published.some(one => one.isRetained) ? ['P2: the broker is asked to keep a message'] : []),
    ...(messages.includes('r') ? ['P2: a message that the broker had kept was heard'] : []),
    ...(isTaken ? ['A2: a message was taken that cannot be sent'] : []),
    ...late.map(({ payload }) => `P2: sent on the next connection: ${payload}`),
  ]
}
