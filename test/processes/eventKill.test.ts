// The cloud is killed between the commit of an event and its notification: no stream loses the event, or gets it twice.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { type ReadEvent, readStream } from '@callgate/cloud/event/eventStream.kit'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { newUser } from '@callgate/cloud/user/user.kit'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
const running: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-event-kill-'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

async function furnish() {
  const parts = {
    world: realWorld({ logLevel: 'silent' }),
    database: await openDatabase({ url: join(folder, 'callgate.sqlite') }),
  }
  await migrate(parts.database)
  const home = { name: 'Home', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace(parts, home)
  const given = { spaceId, name: 'Desk', scopes: scopeNames, expiresAt: null, actor: 'operator' }
  const key = (await createApiKey(parts, given))?.key ?? ''
  const admin = await newUser(parts, { email: 'admin@example.com', spaceId })
  await parts.database.close()
  return { spaceId, key, admin }
}

async function serve() {
  const child = fork(new URL('eventKillServer.ts', import.meta.url), [folder], {
    execArgv: ['--import', 'tsx'],
  })
  running.push(child)
  const [port] = (await once(child, 'message')) as [number]
  return { child, base: `http://127.0.0.1:${port}` }
}

it('A7: a stream continues after its last event, with what was committed when the process was killed', async () => {
  const { admin, key, spaceId } = await furnish()
  const follow = (base: string, lastEventId?: number) =>
    readStream(`${base}/app/v1/spaces/${spaceId}/events`, {
      ...admin.headers,
      ...(lastEventId !== undefined && { 'Last-Event-ID': String(lastEventId) }),
    })
  const addGate = async (base: string, name: string): Promise<string> => {
    const body = JSON.stringify({ name, phoneNumber: '+40722000001' })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${base}/api/v1/gates`, { method: 'POST', headers, body })
    return ((await answer.json()) as { gate: { id: string } }).gate.id
  }
  const gatesOf = (events: readonly ReadEvent[]) =>
    events.filter(({ data }) => data['kind'] === 'gate.created').map(({ data }) => data['targetId'])

  const first = await serve()
  const before = await follow(first.base)
  const told = await addGate(first.base, 'Told')
  await before.until(stream => gatesOf(stream.events()).length === 1)
  first.child.send('die')
  await once(first.child, 'message')
  const death = once(first.child, 'exit')
  await expect(addGate(first.base, 'Untold')).rejects.toThrow('fetch failed')
  expect((await death)[1]).toBe('SIGKILL')
  await before.until(stream => stream.hasEnded())
  expect(gatesOf(before.events())).toEqual([told])

  const second = await serve()
  const after = await follow(second.base, before.events().at(-1)?.id)
  const later = await addGate(second.base, 'Later')
  await after.until(stream => gatesOf(stream.events()).includes(later))
  after.leave()
  const [untold, ...others] = gatesOf(after.events())
  expect(others).toEqual([later])
  const headers = { Authorization: `Bearer ${key}` }
  const shown = await fetch(`${second.base}/api/v1/gates/${untold}`, { headers })
  expect(await shown.json()).toMatchObject({ gate: { name: 'Untold' } })
  const ids = [...before.events(), ...after.events()].map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, place) => (ids[0] ?? 0) + place))
})
