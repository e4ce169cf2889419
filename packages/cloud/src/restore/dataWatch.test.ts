import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { CommittedEvent } from '../database/commits.ts'
import { forgetEvents, recordEvents } from '../event/events.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { openingsAfterLoss } from '../opening/openingsAfterLoss.ts'
import { lostCommit, watchData } from './dataWatch.ts'
import { lastCommits } from './lastCommits.ts'
import { createRestoreLockout } from './restores.ts'

let rig: ExchangeRig
let folder = ''
beforeEach(async () => {
  rig = await exchangeRig()
  folder = mkdtempSync(join(tmpdir(), 'callgate-watch-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await rig.close()
})

const open = () => lastCommits(folder, rig.world.log)
const lost = (...commits: CommittedEvent[]) => lostCommit(rig.database.knex, commits)
const record = (targetId: string, atMs = rig.world.nowMs()) =>
  rig.database.write(tx => recordEvents(tx, rig.spaceId, [{ kind: 'gate.updated', targetId, atMs }]))
const event = (seq: number, more: Partial<CommittedEvent> = {}): CommittedEvent => {
  const at = isoTime(rig.world.nowMs())
  return { spaceId: rig.spaceId, seq, at, kind: 'gate.updated', targetId: 'gate_a', ...more }
}

it('finds that a commit is lost whose number the data has not reached, or has given to another event', async () => {
  expect(await lost()).toBeUndefined()
  expect(await lost(event(1))).toEqual(event(1))
  await record('gate_a')
  await record('gate_b')
  expect(await lost(event(1), event(2, { targetId: 'gate_b' }))).toBeUndefined()
  for (const other of [{ targetId: 'gate_c' }, { kind: 'gate.created' }, { at: isoTime(0) }])
    expect(await lost(event(1, other))).toEqual(event(1, other))
  expect(await lost(event(1), event(3))).toEqual(event(3))
})

it('finds no loss for commits of other data or before a mark, or for deleted events', async () => {
  expect(await lost(event(5, { spaceId: 'space_of_others' }))).toBeUndefined()
  await record('gate_a')
  await rig.database.knex('events').delete()
  expect(await lost(event(1))).toBeUndefined()
  await rig.database.write(forgetEvents)
  expect(await lost(event(5))).toBeUndefined()
})

it('keeps the last commits over a restart, and the whole ones of a torn file', () => {
  const first = open()
  for (let seq = 1; seq <= 40; seq++) first.add(event(seq, { at: isoTime(seq) }))
  first.close()
  const numbers = () =>
    open()
      .all()
      .map(({ seq }) => seq)
  expect(numbers()).toEqual(Array.from({ length: 32 }, (_, place) => place + 9))
  expect(statSync(join(folder, 'last-commits')).size).toBe(32 * 512)
  rmSync(join(folder, 'last-commits'))
  appendFileSync(join(folder, 'last-commits'), `${JSON.stringify(event(1)).padEnd(512)}{"seq":2,"spa`)
  expect(numbers()).toEqual([1])
})

it('checks the commits of the moment at which it began, while others are made', async () => {
  const commits = open()
  await record('gate_a')
  commits.add(event(1))
  const looking = lostCommit(rig.database.knex, commits.all())
  // The counter was read before this commit.
  commits.add(event(2))
  expect(await looking).toBeUndefined()
})

it('goes on in memory where the folder cannot be written', () => {
  rmSync(folder, { recursive: true })
  const commits = open()
  commits.add(event(1))
  expect(commits.all()).toEqual([event(1)])
  expect(rig.world.lines).toMatchObject([{ level: 'warn', fields: { file: join(folder, 'last-commits') } }])
})

it('finds at a start of the cloud that a file was copied back, and does not find it again at the next start', async () => {
  const { database, endpoint, world } = rig
  const guest = await rig.addGuest(await rig.addGate())
  const exchange = createExchange({
    noteDrift,
    world,
    database,
    endpoint,
    watch: { folder, lockout: createRestoreLockout(rig) },
  })
  await exchange.start()
  const { gateId, token: _, ...actor } = guest
  const pressed = await exchange.press({
    spaceId: rig.spaceId,
    gateId,
    actor,
    since: { monotonicMs: world.monotonicMs(), sinceBootMs: world.sinceBootMs() },
  })
  await rig.claim(pressed?.openingId ?? '')
  // The file as it was before the press.
  const { knex } = database
  for (const table of ['openings', 'events', 'eventCounters']) await knex(table).delete()
  const openings = openingsAfterLoss({ world, ends: { afterEnd: () => {} } })
  const again = () => {
    const lockout = createRestoreLockout(rig)
    const watched = watchData({ world, database, folder, lockout, openings, isShared: false })
    return watched.then(() => lockout.shut())
  }
  expect(await again()).toMatchObject({ why: 'numbers_held' })
  expect(await rig.report(pressed?.openingId ?? '', said.completed)).toEqual({ result: 'applied' })
  await again()
  expect(await knex('restores')).toHaveLength(1)
  exchange.stop()
})
