import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpeningRow } from '../core/opening.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { reserveUsage } from './accessUsage.ts'

let rig: ExchangeRig
let guest: Guest

beforeAll(async () => {
  rig = await exchangeRig()
})
afterAll(() => rig.close())

async function newGuest(maxUsage?: number): Promise<Guest> {
  const gateId = await rig.addGate()
  return rig.addGuest(gateId, maxUsage === undefined ? {} : { maxUsage })
}

describe('L1: a use of an access', () => {
  it('is reserved by the grant and kept after a call; lastUsedAt is set when the gate opened', async () => {
    guest = await newGuest(2)
    const openingId = await rig.press(guest)
    expect(await rig.access(guest)).toMatchObject({ usageCount: 0, lastUsedAt: null })
    expect(await rig.claim(openingId)).toMatchObject({ granted: true })
    expect(await rig.claim(openingId)).toMatchObject({ granted: true })
    expect(await rig.access(guest)).toMatchObject({ usageCount: 1, lastUsedAt: null })
    await rig.report(openingId, said.completed)
    const { accessId, memberId } = guest
    const done = await rig.opening(openingId)
    expect(done).toMatchObject({ actorType: 'guest', actorName: 'Ana', accessId, memberId, usageHeld: 1 })
    expect(await rig.access(guest)).toMatchObject({ usageCount: 1, lastUsedAt: done.completedAt })
  })

  it.each([
    ['given back', 'notDialled', 0],
    ['given back', 'simError', 0],
    ['kept', 'busy', 1],
    ['kept', 'unclear', 1],
  ] as const)('is %s after the report %s, and lastUsedAt stays empty', async (_, what, usageCount) => {
    guest = await newGuest(1)
    const openingId = await rig.run(guest, said[what])
    await rig.report(openingId, said[what])
    expect(await rig.access(guest)).toMatchObject({ usageCount, lastUsedAt: null })
    expect((await rig.opening(openingId)).usageHeld).toBe(usageCount)
  })

  it.each([
    ['completed', 1],
    ['notDialled', 0],
    ['busy', 1],
  ] as const)('is kept after a timeout, which a late report (%s) corrects once', async (what, usageCount) => {
    guest = await newGuest(1)
    const openingId = await rig.press(guest)
    await rig.claim(openingId)
    await rig.world.advance(90_000)
    expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', usageHeld: 1 })
    expect((await rig.access(guest)).usageCount).toBe(1)
    await rig.report(openingId, said[what])
    await rig.report(openingId, said.notDialled)
    const { completedAt } = await rig.opening(openingId)
    const lastUsedAt = what === 'completed' ? completedAt : null
    expect(await rig.access(guest)).toMatchObject({ usageCount, lastUsedAt })
  })

  it('causes no error at the report when the access was revoked during the call', async () => {
    guest = await newGuest(1)
    for (const what of [said.notDialled, said.completed]) {
      const openingId = await rig.press(guest)
      await rig.claim(openingId)
      if (what === said.completed) await rig.database.knex('accesses').where({ id: guest.accessId }).del()
      expect(await rig.report(openingId, what)).toEqual({ result: 'applied' })
    }
  })

  it('is reserved for an opening that takes over, and not for one that joins', async () => {
    guest = await newGuest(5)
    const other = await rig.addGuest(guest.gateId, { maxUsage: 1 })
    const first = await rig.press(guest)
    const second = await rig.press(other)
    await rig.world.advance(1)
    const third = await rig.press(other)
    await rig.claim(first)
    await rig.report(first, said.notDialled)
    expect((await rig.access(guest)).usageCount).toBe(0)
    expect(await rig.claim(second)).toMatchObject({ granted: true })
    await rig.report(second, said.completed)
    expect(await rig.opening(third)).toMatchObject({ status: 'completed', usageHeld: 0 })
    expect((await rig.access(other)).usageCount).toBe(1)
  })

  it('lets presses of this access join, and no others, while a running call has taken its last use', async () => {
    guest = await newGuest(1)
    const used = await rig.addGuest(guest.gateId, { maxUsage: 1 })
    await rig.database.knex('accesses').where({ id: used.accessId }).update({ usageCount: 1 })
    const leader = await rig.press(guest)
    const joiners = [await rig.press(guest)]
    await rig.claim(leader)
    joiners.push(await rig.press(guest))
    const denied = await rig.press(used)
    expect(await rig.opening(denied)).toMatchObject({ reason: 'usage_exhausted', joinedOpeningId: null })
    for (const id of joiners)
      expect(await rig.opening(id)).toMatchObject({ status: 'initiated', joinedOpeningId: leader })
    await rig.report(leader, said.completed)
    joiners.push(await rig.press(guest))
    for (const id of joiners)
      expect(await rig.opening(id)).toMatchObject({ status: 'completed', joinedOpeningId: leader })
    await rig.world.advance(5_000)
    expect(await rig.opening(await rig.press(guest))).toMatchObject({
      reason: 'usage_exhausted',
      safeToRetry: 0,
    })
    expect((await rig.access(guest)).usageCount).toBe(1)
  })

  it('is available again for the press that joined when nothing was dialled', async () => {
    guest = await newGuest(1)
    const leader = await rig.press(guest)
    await rig.claim(leader)
    const heir = await rig.press(guest)
    await rig.report(leader, said.notDialled)
    expect((await rig.access(guest)).usageCount).toBe(0)
    expect(await rig.claim(heir)).toMatchObject({ granted: true })
    await rig.report(heir, said.completed)
    expect(await rig.opening(heir)).toMatchObject({ status: 'completed', usageHeld: 1 })
  })

  it('is never reserved beyond the cap, even when 200 are reserved at once', async () => {
    guest = await newGuest(7)
    const asked = { spaceId: rig.spaceId, accessId: guest.accessId }
    const write = () => rig.database.write(tx => reserveUsage(tx, asked))
    const taken = await Promise.all(Array.from({ length: 200 }, write))
    expect(taken.filter(Boolean)).toHaveLength(7)
    expect((await rig.access(guest)).usageCount).toBe(7)
    expect(await rig.database.write(tx => reserveUsage(tx, { ...asked, spaceId: 'space_b' }))).toBe(false)
  })
})

describe('a guest without permission', () => {
  const changes = [
    ['accesses', { isActive: false }, 'access_inactive'],
    [
      'accesses',
      { schedules: '[{"type":"one-shot","startsAt":"2030-01-01T00:00:00Z","timezone":"UTC"}]' },
      'outside_schedule',
    ],
    [
      'accesses',
      { schedules: '[{"type":"one-shot","expiresAt":"2020-01-01T00:00:00Z","timezone":"UTC"}]' },
      'access_ended',
    ],
    ['accesses', { usageCount: 3 }, 'usage_exhausted'],
    ['accesses', undefined, 'access_revoked'],
    ['members', { isActive: false }, 'access_revoked'],
    ['gates', { isActive: false }, 'gate_inactive'],
  ] as const

  async function apply(table: string, change: object | undefined) {
    const id = { accesses: guest.accessId, members: guest.memberId, gates: guest.gateId }[table]
    const rows = rig.database.knex(table).where({ id: String(id) })
    await (change ? rows.update(change) : rows.del())
  }

  it.each(changes)(
    '(%s %j) fails at once and is recorded, without a call and without a count',
    async (table, change, reason) => {
      guest = await newGuest(3)
      const hinted = rig.hints.length
      await apply(table, change)
      const { calledAt, ...row } = await rig.opening(await rig.press(guest))
      expect(row).toMatchObject({
        status: 'failed',
        reason,
        opened: 'no',
        completedAt: calledAt,
        usageHeld: 0,
      })
      expect(rig.hints).toHaveLength(hinted)
    },
  )

  it.each(changes)(
    '(%s %j) is not dialled when the permission ended before the grant',
    async (table, change, reason) => {
      guest = await newGuest(3)
      const openingId = await rig.press(guest)
      await apply(table, change)
      expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'refused' })
      expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason, usageHeld: 0 })
    },
  )

  it('does not join the call of a guest with permission', async () => {
    guest = await newGuest()
    const openingId = await rig.press(guest)
    const other = await rig.addGuest(guest.gateId)
    await rig.database.knex('accesses').where({ id: other.accessId }).update({ isActive: false })
    const denied = await rig.press(other)
    await rig.claim(openingId)
    await rig.report(openingId, said.completed)
    expect(await rig.opening(denied)).toMatchObject({ reason: 'access_inactive', joinedOpeningId: null })
  })

  it('opens nothing with an access to another gate, or of another member', async () => {
    const [one, other] = [await newGuest(), await newGuest()]
    for (const wrong of [
      { gateId: other.gateId },
      { memberId: other.memberId },
      { accessId: other.accessId },
    ])
      expect(await rig.opening(await rig.press({ ...one, ...wrong }))).toMatchObject({
        status: 'failed',
        reason: 'access_revoked',
      })
  })
})

describe('work in the transaction of a press', () => {
  it('sees the opening', async () => {
    guest = await newGuest()
    let seen: string | undefined
    const openingId = await rig.press(guest, {
      inTransaction: async (tx, id) => {
        seen = (await tx<OpeningRow>('openings').where({ id }).first())?.id
      },
    })
    expect(seen).toBe(openingId)
  })

  it('undoes the press when it fails', async () => {
    guest = await newGuest()
    const hinted = rig.hints.length
    const inTransaction = () => Promise.reject(new Error('planted'))
    await expect(rig.press(guest, { inTransaction })).rejects.toThrow('planted')
    expect(await rig.database.knex('openings').where({ gateId: guest.gateId })).toEqual([])
    expect(rig.hints).toHaveLength(hinted)
  })
})

/** Every stored counter, and the same counters recounted from the openings. */
async function counters(gateIds: readonly string[]) {
  const openings = await rig.database.knex<OpeningRow>('openings').whereIn('gateId', gateIds)
  const counted = openings.filter(row => row.status === 'completed' && row.joinedOpeningId === null)
  const latest = (rows: readonly OpeningRow[]) =>
    rows
      .map(row => row.completedAt ?? '')
      .sort()
      .at(-1) ?? null
  const gates = await rig.database.knex('gates').whereIn('id', gateIds).orderBy('id')
  const accesses = await rig.database.knex('accesses').whereIn('gateId', gateIds).orderBy('id')
  return {
    kept: [
      ...gates.map(({ lastOpenedAt, openCount }) => ({ openCount, lastOpenedAt })),
      ...accesses.map(({ lastUsedAt, usageCount }) => ({ usageCount, lastUsedAt })),
    ],
    recomputed: [
      ...gates.map(({ id }) => {
        const rows = counted.filter(row => row.gateId === id)
        return { openCount: rows.length, lastOpenedAt: latest(rows) }
      }),
      ...accesses.map(({ id }) => {
        const usageCount = openings.filter(row => row.accessId === id && row.usageHeld).length
        return { usageCount, lastUsedAt: latest(counted.filter(row => row.accessId === id)) }
      }),
    ],
    reasons: openings.map(row => row.reason),
    isCapped: accesses.every(({ maxUsage, usageCount }) => maxUsage === null || usageCount <= maxUsage),
  }
}

const anyGuest = fc.nat(3)
const anyReport = fc.constantFrom(...Object.values(said))
/** Selects an opening: 0 is the last one, 1 the one before it. */
const back = fc.nat(2)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ press: anyGuest }) },
  { weight: 3, arbitrary: fc.record({ claim: back }) },
  { weight: 3, arbitrary: fc.record({ report: anyReport, about: back }) },
  { weight: 3, arbitrary: fc.record({ run: anyGuest, to: anyReport }) },
  { weight: 3, arbitrary: fc.record({ waitMs: fc.constantFrom(5_000, 90_000) }) },
)

it('keeps every counter equal to a recount of the openings, and within its cap', async () => {
  const seen = new Set<string | null>()
  const steps = fc.array(step, { minLength: 10, maxLength: 20 })
  const property = fc.asyncProperty(steps, async taken => {
    const gateIds = [await rig.addGate(), await rig.addGate()]
    const guests = await Promise.all(
      [1, 2, 3, 1].map((maxUsage, place) => rig.addGuest(gateIds[place % 2] ?? '', { maxUsage })),
    )
    const openings: string[] = []
    const recent = (ago: number) => openings.at(-1 - ago) ?? 'open_none'
    for (const now of taken) {
      if ('press' in now) openings.push(await rig.press(guests[now.press] as Guest))
      else if ('claim' in now) await rig.claim(recent(now.claim))
      else if ('run' in now) openings.push(await rig.run(guests[now.run] as Guest, now.to))
      else if ('report' in now) await rig.report(recent(now.about), now.report)
      else await rig.world.advance(now.waitMs)
    }
    const { isCapped, kept, reasons, recomputed } = await counters(gateIds)
    for (const reason of reasons) seen.add(reason)
    expect(kept).toEqual(recomputed)
    expect(isCapped).toBe(true)
  })
  await fc.assert(property, { numRuns: 20, seed: 11 })
  // Each kind of end that changes a counter has occurred.
  for (const reason of ['rejected_after_ring', 'not_dialled', 'sim_error', 'no_report', 'usage_exhausted'])
    expect(seen).toContain(reason)
})
