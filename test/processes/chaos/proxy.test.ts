// The proxy: it reads MQTT, and holds, drops, cuts and half-closes.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { packetSplitter } from './mqttPackets.ts'
import { type Direction, reachPort, startProxy, type WireProxy } from './proxy.ts'

const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)])
/** A PUBLISH at QoS 1. */
function publish(topic: string, payload: string): Buffer {
  const body = Buffer.concat([text(topic), Buffer.from([0, 7]), Buffer.from(payload)])
  return Buffer.concat([Buffer.from([0x32, (body.length & 127) | 128, body.length >> 7]), body])
}
const ping = Buffer.from([0xc0, 0])

describe('packets', () => {
  it('are the same however the stream is cut into chunks', () => {
    const stream = Buffer.concat([ping, publish('a/hint', 'x'.repeat(200)), ping])
    for (let size = 1; size <= stream.length; size++) {
      const split = packetSplitter()
      const packets = []
      for (let at = 0; at < stream.length; at += size) packets.push(...split(stream.subarray(at, at + size)))
      expect(packets.map(packet => packet.published)).toEqual([
        undefined,
        { topic: 'a/hint', payload: 'x'.repeat(200) },
        undefined,
      ])
      expect(Buffer.concat(packets.map(packet => packet.bytes))).toEqual(stream)
    }
  })
})

describe('the proxy', () => {
  let undo: (() => void)[] = []
  afterEach(() => {
    for (const step of undo) step()
    undo = []
  })

  async function build(pass: Parameters<typeof startProxy>[1]) {
    const broker = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(broker, 'listening')
    const proxy: WireProxy = await startProxy(reachPort((broker.address() as AddressInfo).port), pass)
    const joined = once(broker, 'connection')
    const gateway = connect({ host: '127.0.0.1', port: proxy.port, allowHalfOpen: true })
    const [served] = (await joined) as [Socket]
    for (const socket of [gateway, served]) socket.on('error', () => {})
    undo.push(
      () => broker.close(),
      () => void proxy.close(),
      () => gateway.destroy(),
      () => served.destroy(),
    )
    return { proxy, gateway, served }
  }

  it('holds a packet until its fate is decided, and drops it or passes it on, in order', async () => {
    const seen: string[] = []
    let release: (fate: 'forward' | 'drop') => void = () => {}
    const held = new Promise<'forward' | 'drop'>(resolve => {
      release = resolve
    })
    const { gateway, served } = await build(async (direction: Direction, { published }) => {
      seen.push(`${direction} ${published?.topic}`)
      return published ? held : 'forward'
    })
    const arrived = once(served, 'data')
    gateway.write(Buffer.concat([publish('a/claim', '{}'), ping]))
    await expect.poll(() => seen).toEqual(['toBroker a/claim'])
    release('drop')
    expect(await arrived).toEqual([ping])
  })

  it('passes nothing on while it is silent, and loses nothing', async () => {
    let passed = 0
    const { gateway, proxy, served } = await build(async () => {
      passed++
      return 'forward'
    })
    const seen: Buffer[] = []
    served.on('data', bytes => seen.push(bytes))
    proxy.silence()
    gateway.write(publish('a/claim', '{}'))
    await expect.poll(() => passed).toBe(1)
    proxy.heal()
    await expect.poll(() => Buffer.concat(seen)).toEqual(publish('a/claim', '{}'))
    proxy.silence()
    gateway.write(ping)
    await expect.poll(() => passed).toBe(2)
    const ended = once(served, 'end')
    proxy.cut()
    await ended
    expect(Buffer.concat(seen)).toEqual(publish('a/claim', '{}'))
  })

  it('half-closes, and cuts until it is healed', async () => {
    const { gateway, proxy, served } = await build(async () => 'forward')
    served.resume()
    proxy.halfClose('toBroker')
    await once(served, 'end')
    const arrived = once(gateway, 'data')
    served.write(ping)
    expect(await arrived).toEqual([ping])
    const ended = once(gateway, 'end')
    proxy.cut()
    await ended
    const refused = connect({ host: '127.0.0.1', port: proxy.port })
      .on('error', () => {})
      .resume()
    await once(refused, 'close')
  })
})
