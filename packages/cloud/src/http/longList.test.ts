import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiKey } from '../space/apiKeys.ts'
import { newSpace } from '../space/space.kit.ts'
import type { Handlers } from './handler.ts'
import { type ApiServer, gate, json, sendTo, serveApi } from './server.kit.ts'

let api: ApiServer
/** Ends the lists that do not end by themselves. */
let release: () => void
/** The Space of each piece, in the order of their creation. */
let made: string[]
let isHeld: boolean
/** Whether a list is larger than the buffers of a connection. */
let isLarge: boolean
let iteration = 0
let changedIn: number[]

beforeEach(async () => {
  made = []
  changedIn = []
  isHeld = false
  isLarge = false
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const listMembers: Handlers['listMembers'] = async ({ principal: { spaceId } }) => {
    async function* pieces() {
      const filling = 'x'.repeat(isLarge ? 300_000 : 0)
      for (let piece = 0; piece < (isLarge ? 200 : 20); piece++) {
        made.push(spaceId)
        yield [JSON.stringify({ piece, filling })]
        if (isHeld) await released
      }
    }
    return { list: 'members', pieces: pieces(), rest: {} }
  }
  const updateGate: Handlers['updateGate'] = async () => {
    changedIn.push(iteration)
    return { problem: 'not_found', message: 'not in this test' }
  }
  api = await serveApi(() => ({ listMembers, updateGate }))
})
afterEach(() => api.stop())

/** Another Space's key. */
async function otherKey(): Promise<string> {
  const { database, world } = api
  const spaceId = await newSpace({ database, world }, { name: 'Other' })
  const asked = {
    spaceId,
    name: 'Desk',
    scopes: ['members:read'],
    expiresAt: null,
    actor: 'operator',
  } as const
  return (await createApiKey({ database, world }, asked))?.key ?? ''
}

async function madePieces(count: number): Promise<void> {
  while (made.length < count) await new Promise(resolve => setImmediate(resolve))
}

const list = (key: string) => sendTo(api.base, key, 'GET', '/api/v1/members')

/** A client that requests a list, reads nothing of it, and disconnects. */
async function givenUp(): Promise<void> {
  const left = new AbortController()
  const headers = { Authorization: `Bearer ${api.key}` }
  const before = made.length
  const asked = await fetch(`${api.base}/api/v1/members`, { headers, signal: left.signal })
  await madePieces(before + 1)
  left.abort()
  await expect(asked.text()).rejects.toThrow('aborted')
}

describe('long lists', () => {
  it('free their place when the client disconnects', async () => {
    isLarge = true
    for (let one = 0; one < 9; one++) await givenUp()
    isLarge = false
    expect((await list(api.key)).status).toBe(200)
    expect(made.length).toBeLessThan(9 * 200)
  })

  it('of one Space leave every second turn to another', async () => {
    const key = await otherKey()
    const many = Array.from({ length: 8 }, () => list(api.key))
    const other = list(key)
    expect((await other).status).toBe(200)
    await Promise.all(many)
    const ofOther = made.flatMap((spaceId, place) => (spaceId === api.spaceId ? [] : [place]))
    const [first = 0] = ofOther
    // 20 pieces with at most as many of the other Space between them, and a few when the sockets make it wait.
    expect((ofOther.at(-1) ?? 0) - first).toBeLessThanOrEqual(60)
  })

  it('of one Space are four at once; twenty wait for 30 s at most, and the next gets 429 at once', async () => {
    isHeld = true
    const all = Array.from({ length: 25 }, () => list(api.key))
    const refused = await Promise.race(all)
    expect([refused.status, refused.json.error?.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('Retry-After')).toBe('5')
    await madePieces(4)
    const key = await otherKey()
    const other = list(key)
    await madePieces(5)
    await api.world.advance(30_000)
    expect(made).toHaveLength(5)
    release()
    const statuses = (await Promise.all([...all, other])).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(5)
    expect(statuses.filter(status => status === 429)).toHaveLength(21)
  })
})

it('handles one writing request in a turn of the event loop, however many bodies arrive at once', async () => {
  let isOver = false
  const count = () => {
    iteration++
    if (!isOver) setImmediate(count)
  }
  count()
  await Promise.all(Array.from({ length: 20 }, () => api.send('PATCH', '/api/v1/gates/gate_x', json(gate))))
  isOver = true
  expect(changedIn).toHaveLength(20)
  expect(new Set(changedIn).size).toBe(20)
})
