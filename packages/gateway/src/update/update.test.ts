import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdateCause } from '@callgate/contract/releaseWords'
import { signingKey } from '@callgate/contract/wire/signature'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isCut, Machine, type PlayedMachine } from './update.kit.ts'
import type { UpdateRun } from './updateRun.ts'

function playedMachine(played: PlayedMachine): Machine {
  const machine = new Machine(played)
  onTestFinished(() => machine.remove())
  return machine
}

const works = ['0.1.0', '0.2.0', '0.3.0']

describe('G5: an update', () => {
  it('is switched to and kept when it works, version after version', async () => {
    const machine = playedMachine({ works, busyFor: 3 })
    await machine.start()
    for (const version of ['0.2.0', '0.3.0']) {
      const updated = await machine.update().install(machine.release(version))
      expect(updated).toEqual({ outcome: 'installed', text: `version ${version} works` })
      expect(await machine.store.read()).toEqual({ current: version, trial: undefined, failed: [] })
    }
    expect(machine.started).toEqual(['0.1.0', '0.2.0', '0.3.0'])
    // The previous version stays.
    expect(readdirSync(join(machine.store.folder, 'versions')).sort()).toEqual(['0.2.0', '0.3.0'])
    expect(readdirSync(machine.store.folder).sort()).toEqual(['current', 'outcome', 'versions'])
  })

  it('is rolled back when broker or modem are not reached in time, and is not tried again', async () => {
    const machine = playedMachine({ works: ['0.1.0', '0.2.0'] })
    await machine.start()
    await machine.update().install(machine.release('0.2.0'))
    const path = machine.release('0.3.0')
    expect(await machine.update().install(path)).toEqual({
      outcome: 'taken_back',
      text: 'version 0.3.0 was taken back: it did not reach broker and modem',
      cause: 'not_connected',
    })
    expect(machine.started).toEqual(['0.1.0', '0.2.0', '0.3.0', '0.2.0'])
    expect(await machine.update().install(path)).toMatchObject({
      outcome: 'refused',
      text: '0.3.0 was tried here before and did not work',
      cause: 'tried_before',
    })
  })

  it('is rolled back at once when systemd has given it up', async () => {
    const machine = playedMachine({ works: ['0.1.0'], endsByItself: ['0.2.0'] })
    await machine.start()
    expect(await machine.update().install(machine.release('0.2.0'))).toMatchObject({
      text: 'version 0.2.0 was taken back: it ended by itself',
    })
    expect(machine.started).toEqual(['0.1.0', '0.2.0', '0.1.0'])
  })

  it('is rolled back only after the opening that it serves nevertheless, and at most two minutes later', async () => {
    const lookedFor = async (sickBusyFor: number) => {
      const machine = playedMachine({ works: ['0.1.0'], sickBusyFor })
      await machine.start()
      await machine.update().install(machine.release('0.2.0'))
      expect(machine.started).toEqual(['0.1.0', '0.2.0', '0.1.0'])
      return machine.timeOf(2) - machine.timeOf(1)
    }
    const quietMs = await lookedFor(0)
    expect((await lookedFor(20)) - quietMs).toBe(40_000)
    expect((await lookedFor(Number.POSITIVE_INFINITY)) - quietMs).toBe(122_000)
  })

  it('is not rolled back where its unit is down for a moment, between stop and start', async () => {
    const machine = playedMachine({ works, downAt: [1, 3] })
    await machine.start()
    expect(await machine.update().install(machine.release('0.2.0'))).toMatchObject({ outcome: 'installed' })
  })

  it.each([
    ['works', 'installed', works],
    ['does not work', 'taken_back', ['0.1.0']],
  ])('that %s has the same result for both programs that follow it', async (_, outcome, healthy) => {
    const machine = playedMachine({ works: healthy, follows: true })
    await machine.start()
    expect(await machine.update().install(machine.release('0.2.0'))).toMatchObject({ outcome })
    expect(await machine.followed).toMatchObject({ outcome })
  })

  it('is not begun while openings go on, or while the running daemon is not healthy', async () => {
    const busy = playedMachine({ works, busyFor: Number.POSITIVE_INFINITY })
    await busy.start()
    expect(await busy.update().install(busy.release('0.2.0'))).toEqual({
      outcome: 'refused',
      text: 'there was no moment without an opening or a task',
      cause: 'no_pause',
    })
    const sick = playedMachine({ works: ['0.2.0'] })
    await sick.start()
    expect(await sick.update().install(sick.release('0.2.0'))).toMatchObject({
      outcome: 'refused',
      cause: 'gateway_not_ready',
    })
    for (const { started, store } of [busy, sick]) {
      expect(started).toEqual(['0.1.0'])
      expect((await store.read()).current).toBe(undefined)
    }
  })
})

describe('G5: a release', () => {
  it.each<[UpdateCause, string, (machine: Machine) => string]>([
    [
      'not_signed',
      'not signed by a release key',
      machine => machine.release('0.2.0', { key: signingKey(new Uint8Array(32)) }),
    ],
    [
      'not_signed',
      'not the one that was signed',
      machine => machine.release('0.2.0', { archive: bytes => bytes.fill(0, 20, 21) }),
    ],
    [
      'not_signed',
      'not the one that was signed',
      machine => machine.release('0.2.0', { archive: bytes => bytes.subarray(1) }),
    ],
    [
      'not_signed',
      'not the one that was signed',
      machine => machine.release('0.2.0', { archive: bytes => Buffer.concat([bytes, Buffer.from('x')]) }),
    ],
    ['not_newer', '0.1.0 is not newer', machine => machine.release('0.1.0')],
    [
      'does_not_start',
      'does not start on this machine',
      machine => machine.release('0.2.0', { program: 'throw 1' }),
    ],
    [
      'does_not_start',
      'does not start on this machine',
      machine => machine.release('0.2.0', { program: "console.log('0.1.9')" }),
    ],
    ['not_signed', 'its Node is not the one', machine => machine.release('0.2.0', { hasNode: true })],
    ['disk_failed', 'cannot be unpacked', machine => machine.release('0.2.0', noArchive)],
    ['disk_failed', 'there is no', ({ folder }) => join(folder, 'none')],
    ['not_signed', 'is no file', ({ folder }) => folder],
    [
      'disk_failed',
      'cannot read',
      machine => {
        const link = join(machine.folder, 'link')
        symlinkSync(machine.release('0.2.0'), link)
        return link
      },
    ],
    [
      'not_signed',
      'this is no release of the gateway',
      ({ folder }) => {
        writeFileSync(join(folder, 'text'), 'hello\n')
        return join(folder, 'text')
      },
    ],
  ])('is refused before any part of it runs: %s, %s', async (cause, words, fileOf) => {
    const machine = playedMachine({ works })
    await machine.start()
    const updated = await machine.update().install(fileOf(machine))
    expect(updated).toEqual({ outcome: 'refused', cause, text: expect.stringContaining(words) })
    expect(machine.started).toEqual(['0.1.0'])
    expect(await machine.store.read()).toMatchObject({ current: undefined, trial: undefined })
    const versions = join(machine.store.folder, 'versions')
    expect(existsSync(versions) ? readdirSync(versions) : []).toEqual([])
    expect(existsSync(join(machine.store.folder, 'archive'))).toBe(false)
    expect(existsSync(join(machine.store.folder, 'draft'))).toBe(false)
  })
})

/** A signed file without an archive. */
const noArchive = {
  archive: () => Buffer.from('1234567'),
  archiveBytes: 7,
  archiveSha256: '8bb0cf6eb9b17d0f7d22b456f121257dc1254e1f01665370476383ea776df414',
}

/** Restarts the machine: runs what the units do at a boot. The power is not cut any more. */
async function boot(machine: Machine): Promise<UpdateRun> {
  machine.store.changesLeft = Number.POSITIVE_INFINITY
  await machine.start()
  const update = machine.update()
  await update.carryOn()
  return update
}

describe.each([
  ['works', works],
  ['does not work', ['0.1.0', '0.2.0']],
])('G5: a power cut at each change, while a new version %s', (_, healthy) => {
  it('leaves a machine that serves with a version that works', async () => {
    let cuts = 0
    for (let changes = 0; ; changes++) {
      const machine = playedMachine({ works: healthy })
      await machine.start()
      await machine.update().install(machine.release('0.2.0'))
      machine.store.changesLeft = changes
      const wasCut = await isCut(machine.update().install(machine.release('0.3.0')))
      const wasQuiet = machine.store.changesLeft > 0
      await boot(machine)
      const { current, trial } = await machine.store.read()
      expect(healthy).toContain(current)
      expect(machine.started.at(-1)).toBe(current)
      expect(trial).toBe(undefined)
      const program = readFileSync(join(machine.store.folder, 'current', 'gateway.mjs'), 'utf8')
      expect(program).toContain(current)
      if (wasCut) cuts++
      if (wasQuiet) break
    }
    expect(cuts).toBeGreaterThan(0)
  })
})

it('G5: rolls a version back that cannot be started, even if no program follows it', async () => {
  const machine = playedMachine({ works: ['0.1.0'] })
  await machine.start()
  machine.store.changesLeft = 2
  await isCut(machine.update().install(machine.release('0.2.0')))
  machine.store.changesLeft = Number.POSITIVE_INFINITY
  for (let start = 0; start < 6; start++) await machine.start()
  expect(machine.started.slice(-3)).toEqual(['0.1.0', '0.1.0', '0.1.0'])
  expect(await machine.store.read()).toEqual({ current: undefined, trial: undefined, failed: ['0.2.0'] })
  expect(await machine.update().carryOn()).toEqual({ outcome: 'nothing_to_do' })
})

it('rolls a version back where the disk does not keep how often it was started', async () => {
  const machine = playedMachine({ works: ['0.1.0'] })
  const { store } = machine
  mkdirSync(join(store.folder, 'versions/0.2.0'), { recursive: true })
  symlinkSync('versions/0.2.0', join(store.folder, 'current'))
  writeFileSync(join(store.folder, 'trial'), '{"version":"0.2.0","previous":null,"starts":0}')
  // A folder that cannot be removed takes the place of the file's draft.
  mkdirSync(join(store.folder, 'trial.new/full'), { recursive: true })
  await machine.start()
  expect(machine.started).toEqual(['0.1.0'])
  expect(machine.said.join(' ')).toContain('The disk does not keep a trial')
})

it.each(['', '{', '{"version":"../..","previous":null,"starts":0}'])(
  'takes the version of the package where the note of a trial is damaged: %j',
  async text => {
    const machine = playedMachine({ works: ['0.1.0'] })
    const { store } = machine
    mkdirSync(join(store.folder, 'versions/0.2.0'), { recursive: true })
    symlinkSync('versions/0.2.0', join(store.folder, 'current'))
    writeFileSync(join(store.folder, 'trial'), text)
    await machine.start()
    expect(machine.started).toEqual(['0.1.0'])
    expect(await store.read()).toEqual({ current: undefined, trial: undefined, failed: ['0.2.0'] })
  },
)
