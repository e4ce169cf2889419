// How long one request of a tenant blocks the event loop of the real cloud, for the largest Space with the worst schedules.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { insertAccesses, readNewAccess } from '@callgate/cloud/member/accesses'
import { type LinkParts, linkUrl, newLink } from '@callgate/cloud/member/memberLinks'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { isProblem } from '@callgate/contract/rest/problem'
import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { scopeNames } from '@callgate/contract/rest/scope'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime, type World } from '@callgate/world/world'
import type { StallServer } from './stallServer.ts'

const size = {
  gates: 100,
  members: 5_000,
  worstMembers: 500,
  fullMembers: 20,
  accesses: 5,
  entries: 200,
  keys: 21,
} as const

const clock = (minute: number) => new Date((minute % 1_440) * 60_000).toISOString().slice(11, 16)

/** The largest content of an access: 20 schedules of 10 windows, which follow each other around the clock. */
const worst: readonly ScheduleInput[] = Array.from({ length: 20 }, (_, place) => ({
  type: 'custom',
  daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
  timeWindows: Array.from({ length: 10 }, (_window, round) => {
    const slot = round * 20 + place
    return { from: clock(Math.floor(slot * 7.2)), to: clock(Math.floor((slot + 1) * 7.2)) }
  }),
  startsAt: `2020-01-01T00:${10 + place}`,
  timezone: 'Europe/Bucharest',
}))

interface StallParts extends LinkParts {
  readonly world: World
  readonly database: Database
}

/**
 * Makes a Space with the given number of members, each with the given number of accesses. Returns its keys, and its members with
 * id and link.
 */
async function furnish(
  parts: StallParts,
  members: number,
  accesses: number,
  schedules: readonly ScheduleInput[],
) {
  const { database, seal, world } = parts
  const home = { name: 'Bench', plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace(parts, home)
  const limits = { gateLimit: size.gates, monthlyInvitationLimit: 1_000_000 }
  await setOwnLimits(parts, { spaceId, limits, actor: 'bench' })
  const keys: string[] = []
  for (let place = 0; place < size.keys; place++) {
    const asked = { spaceId, name: `Key ${place}`, scopes: scopeNames, expiresAt: null, actor: 'bench' }
    keys.push((await createApiKey(parts, asked))?.key ?? '')
  }
  const profile = JSON.stringify(callProfile({ mode: 'unverified' }))
  const gateIds = Array.from({ length: size.gates }, () => newId(world, 'gate'))
  const made: { id: string; accessId: string; path: string }[] = []
  await database.write(async tx => {
    const createdAt = isoTime(world.nowMs())
    for (const [place, id] of gateIds.entries()) {
      const phoneNumber = `+4072200${1_000 + place}`
      const rest = { location: 'North', isActive: true, createdAt, callProfile: profile }
      await tx('gates').insert({ id, spaceId, name: `Gate ${place}`, phoneNumber, ...rest })
    }
    for (let place = 0; place < members; place++) {
      const owner = { spaceId, id: newId(world, 'mem') }
      const link = newLink(world, seal, owner)
      const rest = { isAdmin: false, isActive: true, createdAt: isoTime(world.nowMs()) }
      await tx('members').insert({ ...owner, name: `Member ${place}`, ...link, ...rest })
      const given = gateIds.slice(0, accesses).flatMap(gateId => {
        const grant = readNewAccess({ gateId, schedules: [...schedules] })
        return isProblem(grant) ? [] : [grant]
      })
      const [first] = await insertAccesses(tx, world, owner, given)
      const path = new URL(linkUrl(parts, { ...owner, ...link })).pathname
      made.push({ id: owner.id, accessId: first?.id ?? '', path })
    }
    for (let place = 0; place < size.entries; place++) {
      const details = { deviceName: 'Gate', changes: { schedules: { from: schedules, to: schedules } } }
      const about = { actor: 'api:bench', targetType: 'guest', targetLabel: 'Member' }
      const entry = { id: newId(world, 'act'), spaceId, action: 'guest.access_updated', ...about }
      await tx('activity').insert({ ...entry, details: JSON.stringify(details), timestamp: createdAt })
    }
  })
  return { keys, made, gateIds }
}

interface MeasuredRequest {
  readonly what: string
  /** With several paths, the requests use them in turn. */
  readonly path: string | readonly string[]
  readonly keys: readonly string[]
  readonly init?: RequestInit
}

/** The longest stall, by the clock and in processor time. */
interface Longest {
  readonly clockMs: number
  readonly processorMs: number
}

export interface StallFigure {
  readonly what: string
  /** For one request alone, and for 20 at once. */
  readonly alone: Longest
  readonly together: Longest
  readonly bytes: number
}

const sent = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...headers },
})

type Furnished = Awaited<ReturnType<typeof furnish>>

/** The most expensive requests, by name. */
function requestsOf(plain: Furnished, bad: Furnished, guest: Furnished): MeasuredRequest[] {
  const [one] = guest.made
  const full = guest.made.map(({ id }) => `/api/v1/members/${id}`)
  const { keys } = guest
  const member = `/api/v1/members/${one?.id}`
  const access = `${member}/accesses/${one?.accessId}`
  const [gateId = ''] = bad.gateIds
  const accesses = Array.from({ length: 1_300 }, () => ({ gateId }))
  const many = { gateId, schedules: Array.from({ length: 20 }, (_, place) => worst[place % 20]) }
  return [
    { what: 'GET /healthz', path: '/healthz', keys },
    { what: 'GET /gates, 100', path: '/api/v1/gates', keys: bad.keys },
    { what: 'GET /members, 5,000 × 5 accesses', path: '/api/v1/members', keys: plain.keys },
    { what: 'GET /members, 500 × 5 worst', path: '/api/v1/members', keys: bad.keys },
    { what: 'GET /members?limit=200, worst', path: '/api/v1/members?limit=200', keys: bad.keys },
    { what: 'GET /members, 20 × 100 worst accesses', path: '/api/v1/members', keys },
    { what: 'GET /members?limit=10, 100 worst each', path: '/api/v1/members?limit=10', keys },
    { what: 'GET /members/:id, 100 worst accesses', path: member, keys },
    { what: "GET a guest's page, 100 worst gates", path: one?.path ?? '', keys },
    { what: 'GET /activity, 200 worst changes', path: '/api/v1/activity?limit=200', keys: bad.keys },
    { what: 'GET /openings?limit=200', path: '/api/v1/openings?limit=200', keys: bad.keys },
    { what: 'GET /openapi.json', path: '/api/v1/openapi.json', keys },
    { what: 'GET /docs', path: '/docs', keys },
    {
      what: 'POST a member, worst access',
      path: '/api/v1/members',
      keys,
      init: sent('POST', { name: 'A', accesses: [many] }),
    },
    {
      what: 'POST a member, a gate 1,300 times',
      path: '/api/v1/members',
      keys: bad.keys,
      init: sent('POST', { name: 'A', accesses }),
    },
    {
      what: 'PATCH an access to the worst',
      path: access,
      keys,
      init: sent('PATCH', { schedules: [...worst].reverse() }),
    },
    {
      what: 'PATCH a member of 100 worst accesses',
      path: member,
      keys,
      init: sent('PATCH', { note: 'x' }, { 'If-Match': '"none"' }),
    },
    {
      what: 'PATCH each of 20 such members',
      path: full,
      keys,
      init: sent('PATCH', { note: 'x' }),
    },
    {
      what: 'the same with an Idempotency-Key',
      path: full,
      keys,
      init: sent('PATCH', { note: 'z' }, { 'Idempotency-Key': 'first' }),
    },
    {
      what: 'the same, replayed by its key',
      path: member,
      keys,
      init: sent('PATCH', { note: 'y' }, { 'Idempotency-Key': 'bench' }),
    },
  ]
}

/** Measures the requests whose names contain `wanted`, in a temporary folder, over real sockets; two minutes at most. */
export async function measureStalls(wanted = ''): Promise<readonly StallFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-stall-'))
  const world = realWorld({ logLevel: 'silent' })
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const loaded = await loadKeyring(world, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  const parts = { world, database, seal: loaded.keyring.seal, appUrl: 'http://localhost' }
  const plain = await furnish(parts, size.members, size.accesses, [{ type: 'always' }])
  const bad = await furnish(parts, size.worstMembers, size.accesses, worst)
  const guest = await furnish(parts, size.fullMembers, size.gates, worst)
  await database.close()
  const child = fork(new URL('stallServer.ts', import.meta.url), [folder], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const nextMessage = async () => ((await once(child, 'message')) as [StallServer])[0]
  const { port = 0 } = await nextMessage()
  const longest = async () => {
    child.send('longest')
    const { longestMs = Number.NaN, longestWorkMs = Number.NaN } = await nextMessage()
    return { clockMs: longestMs, processorMs: longestWorkMs }
  }
  const ask = async ({ init, path: paths }: MeasuredRequest, key: string, place = 0) => {
    const path = typeof paths === 'string' ? paths : (paths[place % paths.length] ?? '')
    const headers = { ...(init?.headers as Record<string, string>), Authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
    return (await answer.arrayBuffer()).byteLength
  }
  try {
    const figures: StallFigure[] = []
    for (const asked of requestsOf(plain, bad, guest)) {
      if (!asked.what.includes(wanted)) continue
      // The first one warms up.
      await ask(asked, asked.keys[0] ?? '')
      await pause(50)
      await longest()
      const bytes = await ask(asked, asked.keys[0] ?? '')
      await pause(20)
      const alone = await longest()
      await Promise.all(asked.keys.slice(1).map((key, place) => ask(asked, key, place)))
      await pause(20)
      figures.push({ what: asked.what, alone, together: await longest(), bytes })
    }
    return figures
  } finally {
    child.disconnect()
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}
