import { isProblem } from '@callgate/contract/rest/problem'
import { isoTime } from '@callgate/world/world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Db } from '../database/database.ts'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { tablesWith } from '../database/tablesWith.kit.ts'
import { keptAnswers } from '../http/keptAnswers.ts'
import { adminRequest, bodyOf } from '../http/requests.kit.ts'
import { noteLinkUse } from '../member/linkUses.ts'
import { memberAppHandlers } from '../member/memberAppHandlers.ts'
import { memberHandlers } from '../member/members.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { userHandlers } from '../user/userHandlers.ts'
import { verifyRows } from '../verify/verify.ts'
import { continueErasures } from './erasure.ts'
import { entriesOf, openingsOf } from './identityRows.ts'
import { personalDataHandlers } from './personalDataHandlers.ts'

let rig: ExchangeRig
let gateId: string
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
})
afterEach(() => rig.close())

function handlersOf({ database, seal, world }: ExchangeRig) {
  const parts = { database, world, seal, appUrl: 'https://gates.example.com' }
  const data = personalDataHandlers({ ...parts, erasing: () => {} })
  return { ...memberHandlers(parts), ...memberAppHandlers(parts), ...userHandlers(parts), ...data }
}

const ask = (given: object) => adminRequest(rig.database, rig.spaceId, given) as never
const erase = (memberId: string) => handlersOf(rig).eraseMember(ask({ params: { memberId } }))
const continued = () => continueErasures(rig)

/** Waits a minute, by which time all running presses and mails have ended. */
async function settled(): Promise<void> {
  await continued()
  await rig.world.advance(61_000)
  await continued()
}

/** A text that occurs nowhere else. */
const strange = (mark: string) => fc.stringMatching(/^[a-z]{3,12}$/).map(letters => `${mark}q7${letters}q7`)
const person = fc.record({
  name: strange('N'),
  renamed: strange('R'),
  email: strange('e').map(text => `${text}@example.com`),
  phone: strange('P'),
  note: strange('T'),
  externalId: strange('X'),
})
const deed = fc.constantFrom('rename', 'press', 'deny', 'reset', 'link', 'unlink', 'mailFails', 'deactivate')

async function live(deeds: readonly string[], who: { readonly [Name in string]: string }): Promise<string> {
  const does = handlersOf(rig)
  const { name, email, phone, note, renamed } = who
  const external = { externalId: who['externalId'], metadata: { flat: note } }
  const body = { name, email, phone, note, ...external, accesses: [{ gateId }] }
  const { member } = await bodyOf<{ member: { id: string; accesses: { id: string }[] } }>(
    does.createMember(ask({ body })) as never,
  )
  const params = { memberId: member.id }
  const user = await newUser(rig, { email: 'olga@example.com', spaceId: rig.spaceId, role: 'owner' })
  const actor = { actorType: 'guest', actorName: String(name), actorEmail: String(email) } as const
  const guest = { ...actor, memberId: member.id, accessId: member.accesses[0]?.id ?? '', gateId, token: '' }
  const link = (memberId: string | null) =>
    does.updateUser(ask({ params: { userId: user.userId }, body: { memberId } }))
  const doings: Record<string, () => Promise<unknown>> = {
    rename: () => does.updateMember(ask({ params, body: { name: renamed } })),
    press: async () => {
      await rig.run(guest, said.completed)
      await rig.world.advance(30_000)
    },
    deny: () => rig.press({ ...guest, accessId: 'access_none' }),
    reset: () => does.resetMemberLink(ask({ params })),
    link: () => link(member.id),
    unlink: () => link(null),
    mailFails: () =>
      rig.database.write(tx => tx('outbox').update({ attempts: 1, lastError: `550 ${email}: no such user` })),
    deactivate: () => does.deactivateMember(ask({ params })),
  }
  for (const one of deeds) await doings[one]?.()
  return member.id
}

it('leaves no text of the member in any column of any table, after any actions of the member', async () => {
  await fc.assert(
    fc.asyncProperty(person, fc.array(deed, { maxLength: 6 }), async (who, deeds) => {
      await rig.close()
      rig = await exchangeRig()
      gateId = await rig.addGate()
      const memberId = await live(deeds, who)
      const texts = Object.values(who)
      expect(await tablesWith(rig.database.knex, texts)).toContain('members')
      expect(await erase(memberId)).toEqual({ status: 204 })
      await settled()
      expect(await tablesWith(rig.database.knex, texts)).toEqual([])
      const kept = await rig.database.knex('openings').where({ memberId }).select('actorName', 'actorEmail')
      const isPress = (one: string) => one === 'press' || one === 'deny'
      expect(kept).toHaveLength(deeds.filter(isPress).length)
      for (const opening of kept) expect(opening).toEqual({ actorName: 'deleted_member', actorEmail: null })
      expect(await verifyRows(rig.database.knex)).toEqual([])
    }),
    { numRuns: 12, seed: 1 },
  )
})

const ana = {
  name: 'Ana',
  renamed: 'Ana Pop',
  email: 'ana@example.com',
  phone: '0722',
  note: 'Second floor',
  externalId: 'crm-1',
}

it('ends the link and the accesses in the same transaction, with one activity entry that names nobody', async () => {
  const memberId = await live(['press'], ana)
  const { knex } = rig.database
  const used = isoTime(rig.world.nowMs())
  await rig.database.write(tx => noteLinkUse(tx, { spaceId: rig.spaceId, id: memberId }, 'browser', used))
  await erase(memberId)
  expect(await knex('linkUses').where({ memberId })).toEqual([])
  expect(await knex('accesses').where({ memberId })).toEqual([])
  expect(await knex('members').where({ id: memberId }).first()).toMatchObject({
    name: 'deleted_member',
    linkHash: null,
    erasedAt: expect.any(String),
    erasureDoneAt: null,
  })
  const entries = await knex('activity').where({ action: 'member.erased' })
  expect(entries).toMatchObject([{ targetLabel: 'deleted_member', actor: 'user:ada@example.com' }])
})

it('has the same answer when it is repeated, and hides the member from every other operation', async () => {
  const memberId = await live([], ana)
  expect(await erase(memberId)).toEqual(await erase(memberId))
  const does = handlersOf(rig)
  const params = { memberId }
  const answers = [
    await does.getMember(ask({ params })),
    await does.updateMember(ask({ params, body: { name: 'Ana' } })),
    await does.deactivateMember(ask({ params })),
    await does.reactivateMember(ask({ params })),
    await does.getMemberView(ask({ params })),
    await does.exportMemberData(ask({ params })),
    await erase('member_none'),
  ]
  for (const answer of answers) expect(isProblem(answer) && answer.problem).toBe('not_found')
  const state = { limit: 50, state: 'inactive' }
  expect(await bodyOf(does.listMemberViews(ask({ query: state })) as never)).toMatchObject({ members: [] })
  expect(await rig.database.knex('activity').where({ action: 'member.erased' })).toHaveLength(1)
})

it('continues after a crash, in turns, the erasure that another process has begun', async () => {
  const memberId = await live(['press'], ana)
  const { knex } = rig.database
  const [row] = await knex('openings').where({ memberId })
  const { class: _, ...pressed } = row
  const rows = Array.from({ length: 6_200 }, (_, place) => ({
    ...pressed,
    id: `open_${String(place).padStart(26, '0')}`,
    usageHeld: false,
    isSettled: false,
  }))
  for (let from = 0; from < rows.length; from += 200)
    await rig.database.write(tx => tx('openings').insert(rows.slice(from, from + 200)))
  await erase(memberId)
  const named = () => knex('openings').where({ memberId, actorName: 'Ana' }).pluck('id')
  // The request has erased the first parts.
  expect(await named()).toHaveLength(4_201)
  let turns = 0
  // The process ends after the first part that it continues with.
  await continueErasures(rig, () => ++turns > 12)
  const left = await named()
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(4_201)
  await continued()
  expect(await named()).toEqual([])
})

it('erases a press that was on its way when the erasure began', async () => {
  const memberId = await live([], ana)
  await erase(memberId)
  await continued()
  const actor = { actorType: 'guest', actorName: 'Ana', actorEmail: 'ana@example.com' } as const
  await rig.press({ ...actor, memberId, accessId: 'access_none', gateId, token: '' })
  await rig.world.advance(61_000)
  await continued()
  expect(await tablesWith(rig.database.knex, ['ana@example.com'])).toEqual([])
  const done = await rig.database.knex('members').where({ id: memberId }).first('erasureDoneAt')
  expect(done.erasureDoneAt).not.toBeNull()
})

it('removes the mails to the member that are kept as files, and is not complete before that', async () => {
  const memberId = await live([], ana)
  const isDone = async () =>
    (await rig.database.knex('members').where({ id: memberId }).first('erasureDoneAt')).erasureDoneAt !== null
  const mails: string[] = await rig.database.knex('outbox').where({ memberId }).pluck('id')
  expect(mails.length).toBeGreaterThan(0)
  const removed: string[][] = []
  let isBroken = true
  const mailFiles = {
    remove: async (mailIds: readonly string[]) => {
      if (isBroken) throw new Error('EACCES')
      removed.push([...mailIds])
    },
    removeOld: async () => {},
  }
  await erase(memberId)
  await rig.world.advance(61_000)
  await continueErasures({ ...rig, mailFiles })
  expect(await isDone()).toBe(false)
  isBroken = false
  await continueErasures({ ...rig, mailFiles })
  expect([removed, await isDone()]).toEqual([[mails], true])
})

it('no longer returns a kept answer that names the member, and leaves the others', async () => {
  const memberId = await live([], ana)
  const { database, seal, spaceId, world } = rig
  const kept = keptAnswers({ database, seal, world })
  const { userId: askerId } = await newUser(rig, { email: 'dan@example.com', spaceId })
  const reply = (body: object) => ({ status: 201, headers: {}, body: JSON.stringify(body) }) as never
  const mark = (place: number) => ({
    askerId,
    requestHash: `r${String(place).padStart(3, '0')}`,
    bodyHash: 'b',
  })
  const naming = new Set([0, 99, 100, 149])
  await database.write(async tx => {
    for (let place = 0; place < 150; place++) {
      const member = naming.has(place) ? { id: memberId, name: ana.name } : { id: 'member_b', name: 'Bo' }
      await kept.insert(tx, mark(place), { reply: reply({ member }) })
    }
  })
  await erase(memberId)
  await continued()
  for (let place = 0; place < 150; place++) {
    const row = await kept.find(mark(place))
    if (!row) throw new Error('the row is gone')
    expect(kept.read(mark(place), row) === undefined, String(place)).toBe(naming.has(place))
  }
})

it('protects the activity against every other change', async () => {
  await live([], ana)
  const { knex, write } = rig.database
  const refused = /append-only/
  await expect(write(tx => tx('activity').update({ targetLabel: 'x' }))).rejects.toThrow(refused)
  await expect(write(tx => tx('activity').delete())).rejects.toThrow(refused)
  await expect(write(tx => tx('activityConcerns').delete())).rejects.toThrow(refused)
  const marked = (change: (db: Db) => Promise<unknown>) =>
    write(async tx => {
      await tx('identityRemovals').insert({ spaceId: rig.spaceId })
      await change(tx)
    })
  await expect(marked(db => db('activity').update({ action: 'gate.created' }))).rejects.toThrow(refused)
  await expect(marked(db => db('activity').update({ timestamp: '' }))).rejects.toThrow(refused)
  await expect(marked(db => db('activity').delete())).rejects.toThrow(refused)
  await expect(marked(db => db('activityConcerns').update({ timestamp: '' }))).rejects.toThrow(refused)
  expect(await knex('identityRemovals')).toEqual([])
})

it('exports all data about a member as JSON, without the link', async () => {
  const memberId = await live(['press', 'rename', 'link'], ana)
  const file = await handlersOf(rig).exportMemberData(ask({ params: { memberId } }))
  if (!('pieces' in file)) throw new Error('no file')
  let text = ''
  for await (const piece of file.pieces) text += piece
  expect(JSON.parse(text)).toMatchObject({
    member: {
      ...{ id: memberId, name: 'Ana Pop', email: 'ana@example.com', note: 'Second floor' },
      externalId: 'crm-1',
      metadata: { flat: 'Second floor' },
    },
    accesses: [{ gateId, schedules: [{ type: 'always' }] }],
    mails: [{ kind: 'invitation' }],
    openings: [{ actorName: 'Ana' }],
    activity: [{ targetLabel: 'Ana' }, { targetLabel: 'Ana Pop' }, { details: { memberName: 'Ana Pop' } }],
  })
  expect(text).not.toMatch(/linkHash|linkSealed|\/g\//)
})

it('reads a long history by an index, from the place where it stopped', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const of = { spaceId: rig.spaceId, memberId: 'member_a', rows: 500, afterAt: 'a', afterId: 'b' }
  for (const read of [openingsOf, entriesOf]) {
    const [steps = []] = await plansOf(rig.database, db => read(db, of))
    expect(steps[0]).toMatch(
      /^SEARCH (openings|c) USING (COVERING )?INDEX .*\(spaceId=\? AND (memberId|concernedId)=\? AND /,
    )
    expect(steps.join(' ')).not.toContain('TEMP B-TREE')
  }
})

it('continues the erasures of the Spaces in turns', async () => {
  const { database, world } = rig
  const erased = async (spaceId: string, count: number, before: string) => {
    const erasedAt = isoTime(world.nowMs())
    const { id: _, ...row } = await database.knex('members').where({ id: memberId }).first()
    for (let at = 0; at < count; at++) {
      const id = `member_${before}${at}`
      await database.knex('members').insert({ ...row, id, spaceId, erasedAt, linkHash: id })
    }
  }
  const memberId = await live([], {
    name: 'Ana',
    renamed: 'Ana',
    email: 'a@example.com',
    phone: '',
    note: '',
  })
  const other = await newSpace(rig)
  await erased(rig.spaceId, 120, 'many')
  await world.advance(61_000)
  await erased(other, 1, 'one')
  await world.advance(61_000)
  await continued()
  const done = await database.knex('members').where({ spaceId: other }).pluck('erasureDoneAt')
  expect(done).toEqual([expect.any(String)])
})
