// Openings a second on Postgres over the whole path: a press over HTTP with a key, hint, claim, grant and report through a broker
// of their own, and the answer. Clouds are processes, and the network to the database can take a millisecond.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { startPostgres } from '../../postgres/postgresServer.ts'
import { type Clouds, startClouds } from '../../processes/replicas/clouds.ts'
import { press } from '../../processes/replicas/press.ts'
import { newTenant, type Tenant } from '../../processes/replicas/tenants.ts'

const spaces = 32
/** A key opens ten times a minute. */
const openingsOfKey = 10
/** Of an opening: its press, its claim and its report. */
const commitsOfOpening = 3

interface PathRate {
  readonly perSecond: number
  /** Bare commits of as many openings, over the same network. */
  readonly floorPerSecond: number
  /** From each request to its answer. */
  readonly answerMs: readonly number[]
}

/** Carries bytes to the socket of a server, `delayMs` later; returns its port on 127.0.0.1, and how to close it. */
async function delayedBy(delayMs: number, path: string) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, near => {
    const far = connect(path)
    for (const one of [near, far]) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.once('close', () => sockets.delete(one))
    }
    near.on('data', bytes => setTimeout(() => far.write(bytes), delayMs))
    near.once('close', () => setTimeout(() => far.destroy(), delayMs))
    far.pipe(near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const one of sockets) one.destroy()
    },
  }
}

async function ratesOf(count: number, work: (place: number) => Promise<void>): Promise<number> {
  const beganMs = performance.now()
  await Promise.all(Array.from({ length: spaces }, (_, place) => work(place)))
  return (count / (performance.now() - beganMs)) * 1_000
}

async function floorOver(url: string): Promise<number> {
  const { close, knex } = await openPostgres({ url })
  await knex.raw('create table if not exists "benchFloor" (a text)')
  const rate = await ratesOf(spaces * openingsOfKey, async () => {
    for (let commit = 0; commit < openingsOfKey * commitsOfOpening; commit++)
      await knex.raw(`insert into "benchFloor" values ('x')`)
  })
  await close()
  return rate
}

/** Each Space opens its gate ten times, one after the other, and all Spaces at once. */
async function round(
  clouds: Clouds,
  tenants: readonly Tenant[],
  place: number,
  url: string,
): Promise<PathRate> {
  const answerMs: number[] = []
  const openAll = async (at: number) => {
    const { gateId = '', keys = [] } = tenants[at] ?? {}
    for (let opening = 0; opening < openingsOfKey; opening++) {
      const beganMs = performance.now()
      const { failures, status, why } = await press(clouds, { at, gateId, key: keys[place] ?? '' })
      if (status !== 200 || failures.length > 0) throw new Error(`${status} ${why} ${failures.join(', ')}`)
      answerMs.push(performance.now() - beganMs)
    }
  }
  const floorPerSecond = await floorOver(url)
  return { perSecond: await ratesOf(spaces * openingsOfKey, openAll), floorPerSecond, answerMs }
}

/** The rates of some rounds by `count` clouds. The first round warms up and is not counted. */
export async function measurePath(
  count: number,
  { delayMs, rounds }: { readonly delayMs: number; readonly rounds: number },
): Promise<readonly PathRate[]> {
  const server = await startPostgres({ isDurable: true })
  const { url } = await server.newDatabase(false)
  const [, name = '', folder = ''] = /@\/(\w+)\?host=(.*)$/.exec(url) ?? []
  const line = await delayedBy(delayMs, `${decodeURIComponent(folder)}/.s.PGSQL.5432`)
  const far = url.replace(/@.*$/, `@127.0.0.1:${line.port}/${name}`)
  const cloudsUrl = delayMs > 0 ? far : url
  try {
    const clouds = await startClouds(count, url, { cloudsUrl, isBrief: true })
    try {
      const { database } = clouds
      const tenants: Tenant[] = []
      while (tenants.length < spaces)
        tenants.push(await newTenant(database, { keys: rounds + 1, coolDownMs: 0 }))
      await clouds.connect(tenants.map(({ gatewayId }) => gatewayId))
      const rates: PathRate[] = []
      for (let place = 0; place <= rounds; place++) rates.push(await round(clouds, tenants, place, cloudsUrl))
      return rates.slice(1)
    } finally {
      await clouds.close()
    }
  } finally {
    line.close()
    await server.stop()
  }
}
