import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { ageMs, type World } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpServer } from './server.ts'
import { receivedAt, watchStalls } from './stalls.ts'

let fake: FakeWorld
/** The fake world with clocks that can go on while no timer fires, like those of a stalled process. */
let world: World
let stalledMs: number
beforeEach(() => {
  fake = fakeWorld(1)
  stalledMs = 0
  world = {
    ...fake,
    monotonicMs: () => fake.monotonicMs() + stalledMs,
    sinceBootMs: () => fake.sinceBootMs() + stalledMs,
  }
})

const press = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'

describe('a server', () => {
  let server: ReturnType<typeof createHttpServer>
  let ages: number[]
  let port: number
  beforeEach(async () => {
    ages = []
    const stalls = watchStalls(world)
    server = createHttpServer(
      world,
      (request, response) => {
        ages.push(Math.round(ageMs(world, receivedAt(world, request))))
        response.end()
      },
      { stalls },
    )
    server.once('listening', stalls.start).once('close', stalls.stop)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' ? (address?.port ?? 0) : 0
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  async function connected(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  async function answered(socket: Socket): Promise<void> {
    await once(socket, 'data')
  }

  it('dates a request on a kept connection from before the stall, and the next one from its reading', async () => {
    const socket = await connected()
    socket.write(press)
    await answered(socket)
    socket.write(press)
    stalledMs += 20_000
    await answered(socket)
    await fake.advance(250)
    socket.write(press)
    await answered(socket)
    expect(ages).toEqual([0, 20_000, 0])
  })

  it('dates a request from before the stall although its client has disconnected', async () => {
    const socket = await connected()
    const read = once(server, 'request')
    socket.end(press)
    stalledMs += 20_000
    await read
    expect(ages).toEqual([20_000])
  })

  it('dates a request from before the stall where the late tick fires between accept and read', async () => {
    server.once('connection', () => fake.fireNext())
    const socket = connect(port, '127.0.0.1')
    socket.write(press)
    stalledMs += 20_000
    await answered(socket)
    expect(ages).toEqual([20_250])
  })

  it('dates all of 500 connections that arrived in a stall from before it', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(4))
    // Another thread presses while this one stalls. It connects and writes without this event loop.
    const client = new Worker(
      `const { connect } = require('node:net')
      const { workerData: { port, press, shared } } = require('node:worker_threads')
      let written = 0
      for (let count = 0; count < 500; count++) {
        const socket = connect(port, '127.0.0.1', () => socket.write(press, () => {
          written += 1
          if (written < 500) return
          Atomics.store(shared, 0, 1)
          Atomics.notify(shared, 0)
        }))
        socket.on('error', () => {})
      }`,
      { eval: true, workerData: { port, press, shared } },
    )
    expect(Atomics.wait(shared, 0, 0, 30_000)).not.toBe('timed-out')
    stalledMs += 20_000
    fake.fireNext()
    while (ages.length < 500) await world.turn()
    await client.terminate()
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(20_000)
  })

  it('counts a stall between two requests of one turn', async () => {
    const [first, second] = [await connected(), await connected()]
    server.once('request', () => {
      stalledMs += 5_000
    })
    first.write(press)
    second.write(press)
    await Promise.all([answered(first), answered(second)])
    expect(ages).toEqual([0, 5_000])
  })

  it.each([
    [1_000, 0],
    [1_002, 1_002],
  ])('dates a request after a gap of %i ms as %i ms old', async (gapMs, age) => {
    const socket = await connected()
    socket.write(press)
    stalledMs += gapMs
    await answered(socket)
    expect(ages).toEqual([age])
  })
})

describe('the stall detector', () => {
  it('dates back until two whole turns found nothing, and past a second stall', async () => {
    const turns: (() => void)[] = []
    const stalls = watchStalls({ ...world, turn: () => new Promise(resolve => void turns.push(resolve)) })
    const age = () => Math.round(ageMs(world, stalls.receivedFrom()))
    const turn = async () => {
      turns.shift()?.()
      await Promise.resolve()
    }
    stalledMs += 20_000
    expect(age()).toBe(20_000)
    await turn()
    await turn()
    stalls.came()
    await turn()
    stalledMs += 5_000
    expect(age()).toBe(25_000)
    await turn()
    await turn()
    expect(age()).toBe(25_000)
    await turn()
    expect(age()).toBe(0)
  })
})
