// A Space with a month of records for the tests of the dashboard: real presses over a scripted gateway, two gateways with the
// figures of a day, and a signed-in owner.

import type { Limits } from '@callgate/cloud/limit/limits'
import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Beat } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { type CallEnd, calls, measured, reportsOf } from '../api/scriptedCalls.ts'
import { beatBody, numberOf } from '../api/scriptedGateway.ts'
import { type ServedCloud, serveCloud, type Tenant } from '../api/servedCloud.ts'
import type { Opening, Phone, TestBrowser } from './browser.ts'
import { type SetWorld, setWorld } from './setWorlds.ts'

/** The time of the test: a Friday, 14:32 in Bucharest. */
export const nowText = '2026-03-20T12:32:00.000Z'

export interface Records {
  readonly cloud: ServedCloud
  readonly world: SetWorld
  readonly tenant: Tenant
  /** The second gateway. */
  readonly yardId: string
  readonly gateIds: Readonly<Record<'courtyard' | 'delivery' | 'yard', string>>
  readonly keyId: string
}

interface Made extends Pick<Records, 'cloud' | 'tenant' | 'world'> {
  /** The user who presses in the dashboard. */
  readonly owner: SignedInBrowser
}

/** Calls the REST API with the key of the tenant, or another. The contract's own tests check the answers. */
async function rest<Answer>(
  { cloud, tenant }: Pick<Made, 'cloud' | 'tenant'>,
  method: string,
  path: string,
  given: { readonly body?: unknown; readonly key?: string } = {},
): Promise<Answer> {
  const { body, key = tenant.key } = given
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
  const answer = await fetch(`${cloud.base}/api/v1${path}`, { method, ...sent })
  return JSON.parse((await answer.text()) || '{}') as Answer
}

/** Calls the REST API with a key of the Space, and fails where it is refused. */
export async function callOf<Answer>(
  records: Pick<Records, 'cloud' | 'tenant'>,
  method: string,
  path: string,
  body?: unknown,
  key = records.tenant.key,
): Promise<Answer> {
  const answer = await rest<Answer & { readonly error?: object }>(records, method, path, { body, key })
  if (answer.error !== undefined) throw new Error(`${method} ${path}: ${JSON.stringify(answer.error)}`)
  return answer
}

async function addGate(made: Made, name: string, number: string): Promise<string> {
  const body = { name, phoneNumber: number }
  const { gate } = await rest<{ gate: Gate }>(made, 'POST', '/gates', { body })
  // So that no press joins the one before it.
  await rest(made, 'PATCH', `/gates/${gate.id}/profile`, { body: { mode: 'reject', coolDownMs: 0 } })
  return gate.id
}

/** The times of a gate are measured, as by a calibration. */
export async function measure({ cloud }: Pick<Records, 'cloud'>, gateId: string): Promise<void> {
  const gate = () => cloud.database.knex('gates').where({ id: gateId })
  const { callProfile } = await gate().first('callProfile')
  const { coolDownMs } = JSON.parse(callProfile)
  await gate().update({ callProfile: JSON.stringify({ ...measured, coolDownMs }) })
}

/** Reports the ringing and the end of the newest call, each at its time. */
export async function report({ cloud, world }: Pick<Made, 'cloud' | 'world'>, end: CallEnd): Promise<void> {
  const id = cloud.gateway.calls.at(-1) ?? ''
  const { grantedProfile } = await cloud.database.knex('openings').where({ id }).first('grantedProfile')
  const grantedMs = world.nowMs()
  for (const sent of reportsOf(calls[end], JSON.parse(grantedProfile))) {
    world.setClock(isoTime(grantedMs + sent.sinceClaimMs))
    await cloud.gateway.report(id, sent)
  }
}

/** A press in the dashboard, or with a key, which ends as `end` says. */
export async function press(
  made: Made,
  gateId: string,
  given: { readonly end?: CallEnd | 'notCalled'; readonly key?: string } = {},
): Promise<void> {
  const { end = 'opened', key } = given
  const { cloud, tenant, world } = made
  // A session ends after some days.
  const owner = await signInAgain({ ...cloud, world }, made.owner)
  const calls = cloud.gateway.calls.length
  const path = `/app/v1/spaces/${tenant.spaceId}/gates/${gateId}/open`
  const headers = { ...owner.headers, 'Content-Type': 'application/json' }
  const pressed = key
    ? rest(made, 'POST', `/gates/${gateId}/open`, { key, body: {} })
    : fetch(cloud.base + path, { method: 'POST', headers, body: '{}' })
  let isOver = false
  const over = () => {
    isOver = true
  }
  void pressed.then(over, over)
  while (cloud.gateway.calls.length === calls && !isOver) await world.turn()
  const wasCalled = cloud.gateway.calls.length > calls
  if (wasCalled !== (end !== 'notCalled')) throw new Error(wasCalled ? 'it was called' : 'it was not called')
  if (end !== 'notCalled') await report(made, end)
  // Until a beat reports that the modem answers again, the number is locked, whatever the wall clock says.
  if (end === 'lost') await beat(made)
  await pressed
}

/** The figures of the last day, a row for each minute: a gap of 26 minutes, and one failure of the supply. */
async function addFigures({ cloud, tenant, world }: Made): Promise<void> {
  const minute = 60_000
  const nowMs = Math.floor(world.nowMs() / minute) * minute
  const lowestAt = Date.parse('2026-03-20T11:05:00.000Z')
  const gap = [Date.parse('2026-03-19T16:20:00.000Z'), Date.parse('2026-03-19T16:46:00.000Z')] as const
  const rows = Array.from({ length: 1_440 }, (_, place) => nowMs - (1_439 - place) * minute)
    .filter(atMs => atMs < gap[0] || atMs >= gap[1])
    .map(atMs => {
      const isBefore = atMs < gap[0] && atMs > gap[0] - 40 * minute
      const wave = Math.round(3 * Math.sin(atMs / 3e6) + 2 * Math.sin(atMs / 4e5))
      return {
        gatewayId: tenant.gatewayId,
        stepS: 60,
        startsAt: isoTime(atMs),
        onlineMs: atMs === nowMs ? 0 : minute,
        signalDbm: isBefore ? -84 - Math.round((atMs - gap[0] + 40 * minute) / (5 * minute)) : -71 + wave,
        supplyMv: atMs === lowestAt ? 3_430 : 4_020 + wave,
        worstRegistration: isBefore ? 3 : 0,
      }
    })
  // Sent beats have left rows as well.
  for (let place = 0; place < rows.length; place += 100)
    await cloud.database
      .knex('beatFigures')
      .insert(rows.slice(place, place + 100))
      .onConflict(['gatewayId', 'stepS', 'startsAt'])
      .merge()
}

/** The content of the gateways' beats. */
const said: Beat = { ...beatBody, version: '1.4.2', uptimeS: 1_051_200 }

/** The gateway of the Space sends a beat now. */
export const beat = ({ cloud, tenant }: Pick<Records, 'cloud' | 'tenant'>) =>
  cloud.gateway.beat(tenant.gatewayId, said)

/** The second gateway was heard the given number of seconds ago, and never by this cloud. */
async function beatBefore({ cloud, world }: Made, gatewayId: string, agoS: number): Promise<void> {
  const lastBeatAt = isoTime(world.nowMs() - agoS * 1_000)
  const heard = { lastBeat: JSON.stringify(said), lastBeatAt, onlineSince: lastBeatAt }
  await cloud.database.knex('gateways').where({ id: gatewayId }).update(heard)
}

/** Presses at times that `made.world` is set to; `desk` is the key of the reception desk. */
export type PastOf = (made: Made, gates: Records['gateIds'], desk: string) => Promise<void>

/** Presses of the days before, each at its own time. */
const pressDays: PastOf = async (made, gates, desk) => {
  const { tenant, world } = made
  // In the middle of the minute, because a press after a pause of the machine is dated from before the pause.
  const at = async (minute: string, gateId: string, given?: Parameters<typeof press>[2]) => {
    world.setClock(`${minute}:30.000Z`)
    await press(made, gateId, given)
  }
  // A person and a key in turn, so that nobody presses more often than a minute allows.
  for (const day of ['2026-02-20', '2026-03-02', '2026-03-11'])
    for (const [hour, given] of [
      ['07', {}],
      ['09', { key: desk }],
      ['16', { key: tenant.key }],
    ] as const)
      await at(`${day}T${hour}:10`, gates.courtyard, given)
  await at('2026-03-19T20:41', gates.courtyard, { key: desk })
  await at('2026-03-20T09:52', gates.delivery, { end: 'noReaction' })
  await at('2026-03-20T10:10', gates.delivery, { end: 'noReaction', key: desk })
  await at('2026-03-20T11:05', gates.delivery, { end: 'lost', key: desk })
  await at('2026-03-20T12:28', gates.courtyard)
  const { yard } = gates
  await rest(made, 'DELETE', `/gates/${yard}`)
  await at('2026-03-20T12:29', yard, { key: desk, end: 'notCalled' })
  const plugIn = tenant.unplug()
  await at('2026-03-20T12:30', gates.courtyard, { key: desk, end: 'notCalled' })
  plugIn()
}

/** Serves a cloud with all of this, or with another past. */
export async function serveRecords(
  pressPast: PastOf = pressDays,
  {
    world = setWorld(),
    ...setting
  }: { readonly world?: SetWorld; readonly port?: number; readonly limits?: Limits } = {},
): Promise<Records> {
  world.setClock('2025-11-03T09:00:00.000Z')
  const cloud = await serveCloud(world, setting)
  const tenant = await cloud.addSpace()
  const { database } = cloud
  const { gatewayId, spaceId } = tenant
  const callers = { name: 'Attic', callerNumber: '+40740000111' }
  await database.knex('gateways').where({ id: gatewayId }).update(callers)
  const yardId = newId(world, 'gw')
  const yard = {
    name: 'Yard cabinet',
    callerNumber: null,
    publicKey: yardId.slice(-26),
    passwordHash: 'none',
  }
  await database.knex('gateways').insert({ id: yardId, spaceId, ...yard, createdAt: isoTime(world.nowMs()) })
  const owner = await newUser(
    { database, world },
    { email: 'mihai@example.com', spaceId, name: 'Mihai Radu' },
  )
  const made = { cloud, world, tenant, owner }
  const gateIds = {
    courtyard: await addGate(made, 'Courtyard gate', numberOf('neverReports', 1)),
    delivery: await addGate(made, 'Delivery gate', numberOf('neverReports', 2)),
    yard: await addGate(made, 'Yard barrier', numberOf('neverReports', 3)),
  }
  await measure(made, gateIds.courtyard)
  const desk = await tenant.addKey({ name: 'Reception desk' })
  await pressPast(made, gateIds, desk.key)
  world.setClock(nowText)
  await addFigures(made)
  await beat(made)
  await beatBefore(made, yardId, 2_040)
  return { cloud, world, tenant, yardId, gateIds, keyId: desk.apiKeyId }
}

/** A page of the dashboard for a new owner, on a browser whose clock is that of the cloud. */
export async function openDashboard(
  browser: TestBrowser,
  { cloud, tenant, world }: Pick<Records, 'cloud' | 'tenant' | 'world'>,
  opening: Opening = {},
): Promise<Phone> {
  // A user of its own for each: rate limits are not tested here.
  const email = `${newId(world, 'user')}@example.com`
  const owner = await newUser({ database: cloud.database, world }, { email, spaceId: tenant.spaceId })
  const phone = await browser.open(cloud.base, { viewport: { width: 1280, height: 950 }, ...opening })
  await phone.context.addCookies([{ name: 'sid', value: owner.token, url: cloud.base }])
  await phone.page.clock.install({ time: new Date(nowText) })
  return phone
}
