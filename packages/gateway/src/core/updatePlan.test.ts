import { expect, it } from 'vitest'
import { fault } from './updateDecision.ts'
import {
  beforeStart,
  beginTrial,
  type Change,
  confirm,
  mostTrialStarts,
  type Trial,
  takeBack,
  trialOf,
  type Versions,
} from './updatePlan.ts'

interface Disk extends Versions {
  readonly files: readonly string[]
}

function made(disk: Disk, change: Change): Disk {
  if (change.type === 'keepTrial') return { ...disk, trial: change.trial }
  if (change.type === 'endTrial') return { ...disk, trial: undefined }
  if (change.type === 'pointTo') return { ...disk, current: change.version ?? undefined }
  if (change.type === 'noteFailed') return { ...disk, failed: [...disk.failed, change.version] }
  if (change.type === 'noteEnd') return disk
  return { ...disk, files: disk.files.filter(version => change.versions.includes(version)) }
}

/** The possible disks after a power cut: with none, one, two … of the changes made. */
function cuts(disk: Disk, changes: readonly Change[]): Disk[] {
  const disks = [disk]
  for (const change of changes) disks.push(made(disks.at(-1) ?? disk, change))
  return disks
}

/** The disks after some starts of a daemon that stays unconfirmed; a power cut may end each start at any change. */
function afterStarts(disk: Disk, starts: number): Disk[] {
  if (starts === 0) return [disk]
  return cuts(disk, beforeStart(disk)).flatMap(next => afterStarts(next, starts - 1))
}

const trialled = (disk: Disk) => trialOf(disk) as Trial

it.each([undefined, '0.2.0'])('leaves a version to start wherever the power is cut, after %s', previous => {
  const before: Disk = {
    current: previous,
    trial: undefined,
    failed: [],
    files: previous === undefined ? ['0.3.0'] : [previous, '0.3.0'],
  }
  const begun = cuts(before, beginTrial(before, '0.3.0'))
  const switched = begun.at(-1) as Disk
  const all = [
    ...begun,
    ...cuts(switched, takeBack(trialled(switched), fault('ended', 'it ended by itself'))),
    ...cuts(switched, confirm(trialled(switched))),
  ].flatMap(disk => [0, 1, 2, 3].flatMap(starts => afterStarts(disk, starts)))
  for (const { current, files } of all) {
    expect([undefined, previous, '0.3.0']).toContain(current)
    if (current !== undefined) expect(files).toContain(current)
  }
})

it('starts a version on trial three times, and then the previous version for good', () => {
  const before: Disk = { current: '0.2.0', trial: undefined, failed: [], files: ['0.2.0', '0.3.0'] }
  let disk = beginTrial(before, '0.3.0').reduce(made, before)
  const started: (string | undefined)[] = []
  for (let start = 0; start < mostTrialStarts + 3; start++) {
    disk = beforeStart(disk).reduce(made, disk)
    started.push(disk.current)
  }
  expect(started).toEqual(['0.3.0', '0.3.0', '0.3.0', '0.2.0', '0.2.0', '0.2.0'])
  expect(disk).toEqual({ current: '0.2.0', trial: undefined, failed: ['0.3.0'], files: ['0.2.0'] })
})

it('drops a trial that was never switched to, without a failure', () => {
  const [change] = beginTrial({ current: undefined, trial: undefined, failed: [] }, '0.3.0')
  const trial = change?.type === 'keepTrial' ? change.trial : undefined
  expect(beforeStart({ current: undefined, trial, failed: [] })).toEqual([{ type: 'endTrial' }])
})

it('finishes a rollback that a power cut interrupted', () => {
  const trial = { version: '0.3.0', previous: '0.2.0', starts: 1 }
  const changes = beforeStart({ current: '0.3.0', trial, failed: ['0.3.0'] })
  expect(changes).toEqual(takeBack(trial, fault('does_not_start', 'it does not start')))
})
