// GET /gates by the clock with 36 keys in turn, beside the floor: just started and warm, plain and by gzip, and while rows change.

import { writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { openDatabase } from '@callgate/cloud/database/database'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'
import { bodyFile } from './gateFloor.ts'
import { connections, requestBytes, rushUs } from './requestRush.ts'
import { requester, type Server, serve, type Tenant } from './served.ts'

const keyCount = 36
/** What the rate limit allows these keys in a minute. A server that has just started answers no more of them. */
const requestsOfStart = keyCount * 120
const requestsInRound = 1_440
const warmRounds = 11
const startedRounds = 5
const changesEveryMs = 20

/** One way to ask, with a figure of each side for each round. */
export interface ClockFigures {
  readonly what: string
  /** Requests a second. */
  readonly ours: readonly number[]
  readonly floor: readonly number[]
  /** `ours` as a share of `floor` in the same round. */
  readonly shares: readonly number[]
}

interface ListedSpace {
  /** A database with the Space of `tenant`. */
  readonly file: string
  readonly tenant: Tenant
  readonly path: string
}

/** Gives the Space 36 more keys, which nobody has used yet. */
async function addKeys({ file, tenant: { spaceId } }: ListedSpace): Promise<readonly string[]> {
  const world = realWorld({ logLevel: 'silent' })
  const database = await openDatabase({ url: file })
  const keys: string[] = []
  const given = { spaceId, scopes: scopeNames, expiresAt: null, actor: 'bench' }
  for (let place = 0; place < keyCount; place++)
    keys.push((await createApiKey({ database, world }, { ...given, name: `Key ${place}` }))?.key ?? '')
  await database.close()
  return keys
}

interface Round {
  readonly path: string
  readonly keys: readonly string[]
  readonly count: number
  readonly isZipped: boolean
}

/** A round by the light client, each request with the next key. Microseconds for each request. */
function byLight(port: number, { count, isZipped, keys, path }: Round): Promise<number> {
  const ofEach = keys.map(key => requestBytes(path, key, isZipped))
  const requests = Array.from(
    { length: count },
    (_, place) => ofEach[place % ofEach.length] ?? Buffer.alloc(0),
  )
  return rushUs(port, requests)
}

/** The same by node's own client, as programs ask. It takes longer than the floor, so it brings the sides together. */
async function byNode(port: number, { count, isZipped, keys, path }: Round): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const asks = keys.map(key => requester({ port }, key, agent, isZipped))
  let place = 0
  const one = async () => {
    while (place < count) await asks[place++ % asks.length]?.(path)
  }
  const startUs = Number(process.hrtime.bigint()) / 1e3
  await Promise.all(Array.from({ length: connections }, one))
  const us = Number(process.hrtime.bigint()) / 1e3 - startUs
  agent.destroy()
  return us / count
}
const clients = { light: byLight, "node's": byNode } as const
type Client = keyof typeof clients
const forms = [false, true].flatMap(isZipped =>
  (["node's", 'light'] as const).map(client => ({ client, isZipped })),
)

const nameOf = (
  state: string,
  { client, isZipped }: { readonly client: Client; readonly isZipped: boolean },
) => `${state}, ${isZipped ? 'gzip' : 'plain'}, ${client} client`

/** The cloud and the floor, which sends the body that the cloud has answered. */
async function bothServers({ file, path, tenant }: ListedSpace): Promise<{ ours: Server; floor: Server }> {
  const ours = await serve('ours', file)
  const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
    headers: { Authorization: `Bearer ${tenant.key}`, 'Accept-Encoding': 'identity' },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  await writeFile(bodyFile(file), Buffer.from(await answer.arrayBuffer()))
  return { ours, floor: await serve('floor', file) }
}

async function stop({ floor, ours }: { readonly ours: Server; readonly floor: Server }): Promise<void> {
  await ours.stop()
  await floor.stop()
}

/** Rounds of both sides, one after the other; the side that begins changes. */
async function inTurn(
  what: string,
  rounds: number,
  rush: (side: 'ours' | 'floor') => Promise<number>,
): Promise<ClockFigures> {
  const perS = { ours: [] as number[], floor: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const))
      perS[side].push(1e6 / (await rush(side)))
  return { what, ...perS, shares: perS.ours.map((one, round) => one / (perS.floor[round] ?? Number.NaN)) }
}

/** Each round starts both servers, and each has new keys: the first requests of a cloud, with nothing compiled or in memory. */
async function justStarted(
  asked: ListedSpace,
  form: { readonly client: Client; readonly isZipped: boolean },
  rounds: number,
): Promise<ClockFigures> {
  const shares: ClockFigures[] = []
  for (let round = 0; round < rounds; round++) {
    const { isZipped } = form
    const asking = { path: asked.path, keys: await addKeys(asked), count: requestsOfStart, isZipped }
    const servers = await bothServers(asked)
    shares.push(await inTurn('', 1, side => clients[form.client](servers[side].port, asking)))
    await stop(servers)
  }
  return {
    what: nameOf('just started', form),
    ours: shares.flatMap(({ ours }) => ours),
    floor: shares.flatMap(({ floor }) => floor),
    shares: shares.flatMap(({ shares: some }) => some),
  }
}

/** Changes a row of the Space without a pause, as heartbeats of its gateways do: the list stays the same. */
async function changeRows({ file, tenant: { spaceId } }: ListedSpace): Promise<() => Promise<void>> {
  const patience = { world: realWorld({ logLevel: 'silent' }), withinMs: 10_000 }
  const database = await openDatabase({ url: file, patience })
  let isOver = false
  const changes = (async () => {
    for (let change = 0; !isOver; change++) {
      await database.write(
        async tx =>
          void (await tx('spaces')
            .where({ id: spaceId })
            .update({ name: `Bench ${change}` })),
      )
      await new Promise(resolve => setTimeout(resolve, changesEveryMs))
    }
  })()
  return async () => {
    isOver = true
    await changes
    await database.close()
  }
}

/** The list at `path` by both servers, by the light client, when both are warm. */
export async function measureWarm(
  asked: ListedSpace,
  rounds: number,
  count: number,
): Promise<readonly ClockFigures[]> {
  const keys = await addKeys(asked)
  const servers = await bothServers(asked)
  const figures: ClockFigures[] = []
  try {
    for (const form of forms.filter(({ client }) => client === 'light')) {
      const asking = { path: asked.path, keys, count, isZipped: form.isZipped }
      const rush = (side: 'ours' | 'floor') => byLight(servers[side].port, asking)
      await inTurn('', rounds, rush)
      figures.push(await inTurn(form.isZipped ? 'gzip' : 'plain', rounds, rush))
    }
  } finally {
    await stop(servers)
  }
  return figures
}

/** Both servers are warmed by the same requests before. */
async function warm(asked: ListedSpace, rounds: number): Promise<readonly ClockFigures[]> {
  const keys = await addKeys(asked)
  const servers = await bothServers(asked)
  const figures: ClockFigures[] = []
  const rushes = ({ client, isZipped }: (typeof forms)[number]) => {
    const asking = { path: asked.path, keys, count: requestsInRound, isZipped }
    return (side: 'ours' | 'floor') => clients[client](servers[side].port, asking)
  }
  const measure = async (state: string) => {
    for (const form of forms) figures.push(await inTurn(nameOf(state, form), rounds, rushes(form)))
  }
  try {
    for (const form of forms) await inTurn('', warmRounds, rushes(form))
    await measure('warm')
    const end = await changeRows(asked)
    await measure('rows change')
    await end()
  } finally {
    await stop(servers)
  }
  return figures
}

/** All ways to ask for the list at `path`. */
export async function measureByClock(asked: ListedSpace): Promise<readonly ClockFigures[]> {
  // The servers of the first figures are warm: by them, the client of this process is warm too.
  const figures = await warm(asked, warmRounds)
  const started: ClockFigures[] = []
  for (const form of forms) started.push(await justStarted(asked, form, startedRounds))
  return [...started, ...figures]
}
