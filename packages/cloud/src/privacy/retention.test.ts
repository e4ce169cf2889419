import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordActivity } from '../activity/activity.ts'
import { countRows, type Database } from '../database/database.ts'
import { setTimeIn } from '../database/databaseTime.ts'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { pendingEnrolment } from '../enrolment/enrolment.kit.ts'
import { endAsConfirmed, findEnrolment, noteStored } from '../enrolment/enrolmentRows.ts'
import { insertGateway } from '../gateway/gateways.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { readKeepingRow, setKeeping } from '../space/keepingRows.ts'
import { newSpace } from '../space/space.kit.ts'
import { insertInvitation } from '../user/invitations.ts'
import { newUser } from '../user/user.kit.ts'
import { verifyRows } from '../verify/verify.ts'
import { startEraser } from './eraser.ts'
import { forgetOpening, nameNobody } from './identityRows.ts'
import { oldEntries, oldOpenings, sweepDue, sweepIdentities } from './retention.ts'

const dayMs = 24 * 60 * 60 * 1000

let rig: ExchangeRig
let gateId: string
let guest: Guest
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  guest = await rig.addGuest(gateId, { maxUsage: 9 })
})
afterEach(() => rig.close())

/** Moves the wall clock by days, but no timers, because nothing that runs has timers so long. */
const later = (days: number) => rig.world.jumpWallClock(days * dayMs)
const sweep = () => sweepIdentities(rig, rig.spaceId)
const openings = () => rig.database.knex('openings').orderBy(['calledAt', 'id'])

async function opened(): Promise<string> {
  const id = await rig.run(guest, said.completed)
  await rig.world.advance(30_000)
  return id
}

/** An owner's action on the member, as an activity entry. */
async function entry(
  action: 'member.link_reset' | 'member.deactivated' = 'member.link_reset',
): Promise<void> {
  const { memberId: targetId, actorName: targetLabel } = guest
  const by = { actor: 'user:ada@example.com', actorId: 'user_a' }
  const of = { spaceId: rig.spaceId, ...by, targetId, targetLabel }
  const details = action === 'member.deactivated' ? { accesses: ['North'], gateIds: [gateId] } : {}
  await rig.database.write(tx => recordActivity(tx, rig.world, { ...of, action, details } as never))
}
const entries = () => rig.database.knex('activity').orderBy(['timestamp', 'id'])

const named = { actorName: 'Ana', actorEmail: 'ana@example.com' }
const nobody = { actorName: 'not_kept', actorEmail: null, memberId: null, userId: null, accessId: null }

it('keeps who opened for twelve months, and then the opening without the person', async () => {
  const first = await opened()
  later(200)
  const second = await opened()
  await sweep()
  expect(await openings()).toMatchObject([named, named])
  later(170)
  await sweep()
  expect(await openings()).toMatchObject([
    { id: first, status: 'completed', actorType: 'guest', gateId, ...nobody },
    { id: second, memberId: guest.memberId, ...named },
  ])
})

it('keeps counters and caps right, and all rules of verify fulfilled', async () => {
  for (let count = 0; count < 3; count++) await opened()
  const before = await rig.access(guest)
  later(400)
  await sweep()
  const { usageCount, lastUsedAt, usesNotKept } = await rig.access(guest)
  expect({ usageCount, lastUsedAt }).toEqual({ usageCount: before.usageCount, lastUsedAt: before.lastUsedAt })
  expect(usesNotKept).toBe(3)
  expect(await verifyRows(rig.database.knex)).toEqual([])
  await opened()
  expect((await rig.access(guest)).usageCount).toBe(4)
  expect(await verifyRows(rig.database.knex)).toEqual([])
})

it('removes the persons from old activity entries, which are found by the gate only from then on', async () => {
  await entry('member.deactivated')
  later(400)
  await entry()
  await sweep()
  const [old, recent] = await entries()
  expect(old).toMatchObject({ action: 'member.deactivated', actor: 'user:not_kept', targetLabel: 'not_kept' })
  expect(JSON.parse(old.details)).toEqual({ accesses: ['North'], gateIds: [gateId], actorId: null })
  expect(recent).toMatchObject({ actor: 'user:ada@example.com', targetLabel: 'Ana' })
  const concerns = await rig.database
    .knex('activityConcerns')
    .where({ activityId: old.id })
    .pluck('concernedId')
  expect(concerns).toEqual([gateId])
  expect(await verifyRows(rig.database.knex)).toEqual([])
})

it('leaves presses by keys unchanged, because a key is not a person', async () => {
  const opening = await opened()
  const nobodyElse = { memberId: null, accessId: null, usageHeld: false, actorType: 'owner' }
  await rig.database.write(tx =>
    tx('openings')
      .where({ id: opening })
      .update({ ...nobodyElse, apiKeyId: null, actorName: 'api:Desk', actorEmail: null }),
  )
  later(400)
  await sweep()
  expect(await openings()).toMatchObject([{ actorName: 'api:Desk' }])
})

it('uses the time that the Space has chosen, and reads no processed rows again', async () => {
  await opened()
  await rig.database.write(tx => setKeeping(tx, rig.spaceId, 'P36M'))
  later(400)
  await sweep()
  expect(await openings()).toMatchObject([named])
  await rig.database.write(tx => setKeeping(tx, rig.spaceId, 'P90D'))
  expect((await readKeepingRow(rig.database.knex, rig.spaceId)).sweptAt).toBeNull()
  await sweep()
  const [row] = await openings()
  expect(row).toMatchObject(nobody)
  expect(await readKeepingRow(rig.database.knex, rig.spaceId)).toMatchObject({
    keeping: 'P90D',
    openingsAt: row.calledAt,
    openingsId: row.id,
    sweptAt: isoTime(rig.world.nowMs()),
  })
})

const left = () => rig.database.knex('openings').whereNotNull('memberId').pluck('id')

/** Makes one opening, and `count` copies. */
async function manyOpened(count: number): Promise<void> {
  const first = await opened()
  const { class: _, ...row } = await rig.database.knex('openings').where({ id: first }).first()
  const rows = Array.from({ length: count }, (_, place) => ({
    ...row,
    id: `open_${String(place).padStart(26, '0')}`,
  }))
  for (let from = 0; from < rows.length; from += 100)
    await rig.database.write(tx => tx('openings').insert(rows.slice(from, from + 100)))
}

it('works in turns, continues after a crash, and counts once when two processes work at once', async () => {
  await manyOpened(1_100)
  later(400)
  let asked = 0
  await sweepIdentities(rig, rig.spaceId, () => ++asked > 1)
  expect(await left()).toHaveLength(1_051)
  await Promise.all([sweep(), sweep()])
  expect(await left()).toEqual([])
  expect((await rig.access(guest)).usesNotKept).toBe(1_101)
})

it('pauses between its transactions, and does nothing more once it is stopped', async () => {
  await manyOpened(400)
  later(400)
  const eraser = startEraser(rig)
  await rig.world.advance(60_000)
  const becomes = (rows: number) =>
    vi.waitFor(async () => expect(await left()).toHaveLength(rows), { timeout: 20_000 })
  await becomes(351)
  await rig.world.advance(25)
  await becomes(301)
  eraser.stop()
  await rig.world.advance(10_000)
  expect(await left()).toHaveLength(301)
})

it('sweeps each Space once a day, beginning a minute after the start', async () => {
  await opened()
  later(400)
  const eraser = startEraser(rig)
  await rig.world.advance(61_000)
  const swept = async () => (await readKeepingRow(rig.database.knex, rig.spaceId)).sweptAt
  // The clock of the test does not wait for the database.
  await expect
    .poll(async () => {
      await rig.world.advance(1_000)
      return swept()
    })
    .not.toBeNull()
  expect(await openings()).toMatchObject([nobody])
  const sweptAt = await swept()
  await rig.world.advance(3_600_000)
  await sweepDue(rig)
  expect((await readKeepingRow(rig.database.knex, rig.spaceId)).sweptAt).toBe(sweptAt)
  later(1)
  await sweepDue(rig)
  expect((await readKeepingRow(rig.database.knex, rig.spaceId)).sweptAt).not.toBe(sweptAt)
  eraser.stop()
})

it('continues from its last place by an index of time, however many rows there are', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const place = { spaceId: rig.spaceId, id: 'open_a', actorName: 'not_kept', actorEmail: null }
  for (const write of [nameNobody, forgetOpening])
    expect(await plansOf(rig.database, db => write(db, place))).toEqual([
      [expect.stringMatching(/^SEARCH openings USING INDEX \w+ \(id=\?\)$/)],
    ])
  const span = { spaceId: rig.spaceId, before: 'b', afterAt: 'a', afterId: 'a', rows: 500 }
  for (const read of [oldOpenings, oldEntries]) {
    const [steps = []] = await plansOf(rig.database, db => read(db, span))
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatch(
      /^SEARCH (openings|activity) USING INDEX \w+ \(spaceId=\? AND \((calledAt|timestamp),id\)>\(\?,\?\)/,
    )
  }
})

it('removes nothing because the clock of one machine is ahead of that of the database', async () => {
  await opened()
  const rightMs = rig.world.nowMs()
  later(900)
  const database: Database = {
    ...rig.database,
    knex: rig.database.knex,
    write: (work, reach) =>
      rig.database.write(tx => {
        setTimeIn(tx, () => rightMs)
        return work(tx)
      }, reach),
  }
  await sweepIdentities({ ...rig, database, world: rig.world }, rig.spaceId)
  expect(await openings()).toMatchObject([named])
  const { sweptAt } = await readKeepingRow(rig.database.knex, rig.spaceId)
  expect(sweptAt).toBe(isoTime(rightMs))
})

it('respects a longer time that an owner chooses while a removal runs', async () => {
  await opened()
  later(100)
  await rig.database.write(tx => setKeeping(tx, rig.spaceId, 'P1M'))
  const world = {
    ...rig.world,
    turn: () => rig.database.write(tx => setKeeping(tx, rig.spaceId, 'P12M')),
  }
  await sweepIdentities({ database: rig.database, world }, rig.spaceId)
  expect(await openings()).toMatchObject([named])
})

it('removes the kept answers of a day ago, also when no other request comes', async () => {
  const { knex } = rig.database
  const keep = (from: number, to: number) =>
    rig.database.write(async tx => {
      const createdAt = isoTime(rig.world.nowMs())
      const mark = { askerId: 'key_a', bodyHash: 'b', sealedAnswer: '1.x', createdAt }
      for (let place = from; place < to; place++)
        await tx('keptAnswers').insert({ ...mark, requestHash: `r${place}` })
    })
  await keep(0, 250)
  later(0.5)
  await keep(250, 251)
  await sweepDue(rig)
  expect(await knex('keptAnswers').where({ askerId: 'key_a' })).toHaveLength(251)
  later(0.5)
  await sweepDue(rig)
  // Kept for less than a day.
  expect(await knex('keptAnswers').where({ askerId: 'key_a' })).toHaveLength(251)
  await knex('servedTime').update({ servedMs: 24 * 60 * 60_000 + 120_000 })
  await sweepDue(rig)
  expect(await knex('keptAnswers').where({ askerId: 'key_a' }).pluck('requestHash')).toEqual(['r250'])
})

it('removes expired records of mails, invitations and alerts, also when no new ones come', async () => {
  const { database, seal, spaceId, world } = rig
  const { userId } = await newUser(rig, { email: 'olga@example.com', spaceId })
  const other = await newSpace(rig, { name: 'Other' })
  const add = (of: string) =>
    database.write(async tx => {
      const at = isoTime(world.nowMs())
      const id = newId(world, 'x')
      const mail = { spaceId: of, memberId: 'm', kind: 'invitation', inboxHash: 'h', createdAt: at }
      await tx('mailRecords').insert({
        ...mail,
        mailId: id,
        actor: 'user:ada@example.com',
        recipient: 'a***',
      })
      const invited = {
        spaceId: of,
        email: `${id}@example.com`,
        name: 'Ion',
        role: 'admin',
        invitedBy: 'Ada',
        madeById: null,
      } as const
      await insertInvitation(tx, { seal, world }, { ...invited, language: 'en' })
      const incident = { id, spaceId: of, targetId: id, seenAt: at, openedAt: at, closedAt: at }
      await tx('incidents').insert({ ...incident, kind: 'gateway_offline' })
      await tx('incidents').insert({ ...incident, id: `${id}b`, kind: 'signal_low', closedAt: null })
      const told = {
        id,
        tellingId: 't',
        spaceId: of,
        userId,
        kind: 'opened',
        isAboutMails: false,
        createdAt: at,
      }
      await tx('alertMails').insert({ ...told, incidentIds: JSON.stringify([id]) })
    })
  const tables = ['mailRecords', 'userInvitations', 'alertMails', 'incidents'] as const
  const left = (of: string = spaceId) =>
    Promise.all(tables.map(async table => countRows(database.knex(table).where({ spaceId: of }))))
  for (let row = 0; row < 51; row++) await add(spaceId)
  await add(other)
  later(29)
  await sweep()
  expect(await left()).toEqual([51, 0, 51, 102])
  later(2)
  await add(spaceId)
  await sweep()
  expect(await left()).toEqual([1, 1, 52, 104])
  // The Space keeps names for a shorter time than alerts.
  await database.write(tx => setKeeping(tx, spaceId, 'P1M'))
  await sweep()
  // An open alert stays.
  expect(await left()).toEqual([1, 1, 1, 53])
  expect(await left(other)).toEqual([1, 1, 1, 2])
})

/** A gateway that an admin has confirmed, with a sealed password. */
async function confirmed({ isStored = false, lastBeatAt = null as string | null } = {}): Promise<string> {
  const { database, spaceId, world } = rig
  const { enrolmentId } = await pendingEnrolment({ database, world }, spaceId)
  return database.write(async tx => {
    const row = await findEnrolment(tx, { id: enrolmentId, spaceId })
    const given = { spaceId, name: 'Yard', publicKey: row?.publicKey ?? '', keepPassword: () => '1.sealed' }
    const added = await insertGateway(tx, world, { ...given, actor: 'operator', actorId: null })
    if (!row || !added.ok) throw new Error('no gateway')
    const { gatewayId } = added.gateway
    const ended = await endAsConfirmed(tx, world, row, gatewayId)
    if (isStored) await noteStored(tx, world, ended)
    await tx('gateways').where({ id: gatewayId }).update({ lastBeatAt })
    return gatewayId
  })
}

it('deletes the password of a confirmed gateway that has not fetched it in a day', async () => {
  const unfetched = await confirmed()
  const kept = [
    await confirmed({ isStored: true }),
    await confirmed({ lastBeatAt: '2026-01-01T00:00:00.000Z' }),
  ]
  const sealedOf = async (id: string) =>
    (await rig.database.knex('gateways').where({ id }).first('passwordSealed')).passwordSealed
  later(0.9)
  await sweep()
  expect(await sealedOf(unfetched)).toBe('1.sealed')
  later(0.2)
  await sweep()
  expect(await sealedOf(unfetched)).toBeNull()
  for (const id of kept) expect(await sealedOf(id)).toBe('1.sealed')
})

it('sweeps the Spaces in turns, so that the long history of one delays no other', async () => {
  const { database, world } = rig
  await opened()
  const [{ class: _, ...row }] = await openings()
  for (let at = 0; at < 250; at++)
    await database.knex('openings').insert({ ...row, id: `open_${at}`, lockedNumber: null })
  let other = ''
  while (other < rig.spaceId) other = await newSpace(rig, { name: 'Other' })
  later(400)
  const written: unknown[] = []
  const watched: typeof database = {
    ...database,
    write: (work, reach) => {
      written.push(reach && 'spaceId' in reach && reach.spaceId)
      return database.write(work, reach)
    },
  }
  await sweepDue({ database: watched, world }, () => false, 4)
  expect(written.indexOf(other)).toBeGreaterThan(0)
  expect(written.lastIndexOf(rig.spaceId)).toBeGreaterThan(written.lastIndexOf(other))
  expect((await openings()).every(({ memberId }) => memberId === null)).toBe(true)
})

it('sweeps the other Spaces when one fails', async () => {
  const { database, world } = rig
  const other = await newSpace(rig, { name: 'Other' })
  const failing: typeof database = {
    ...database,
    write: (work, reach) =>
      reach && 'spaceId' in reach && reach.spaceId === rig.spaceId
        ? Promise.reject(new Error('planted'))
        : database.write(work, reach),
  }
  await sweepDue({ database: failing, world })
  expect((await readKeepingRow(database.knex, other)).sweptAt).toEqual(expect.any(String))
})
