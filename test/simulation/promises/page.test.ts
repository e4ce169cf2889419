// The figures in promises.md and faults.md equal those of the code and of the tests.

import { readFileSync } from 'node:fs'
import {
  claimFreshMs,
  grantWithinMs,
  terminalAfterRestartMs,
  terminalWithinMs,
} from '@callgate/contract/wire/timing'
import { expect, it } from 'vitest'
import { type Fault, points } from '../../processes/chaos/points.ts'

const pageOf = (name: string) =>
  readFileSync(new URL(`../../../packages/cloud/docs/${name}.md`, import.meta.url), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  )

/** The number of moments of an opening at which only this fault is injected; those before the press do not count. */
function momentsOf(isMeant: (fault: Fault) => boolean): number {
  const pressed = points.filter(({ when }) => typeof when === 'string' || !('unpressedMs' in when))
  const meant = pressed.filter(({ faults }) => faults.length === 1 && faults.every(isMeant))
  return new Set(meant.map(({ when }) => when)).size
}

it('names the time limits of the exchange', () => {
  for (const page of [pageOf('promises'), pageOf('faults')])
    expect(page).toContain(
      `within ${(grantWithinMs + claimFreshMs) / 1_000} seconds after the cloud has read the press, or not at all`,
    )
  expect(pageOf('promises')).toContain(
    `within ${terminalWithinMs / 1_000} seconds, or ${terminalAfterRestartMs / 1_000} seconds after`,
  )
})

it('names at how many moments of an opening faults are injected', () => {
  const page = pageOf('faults')
  const parts = ['cloud', 'gateway', 'simulator'] as const
  for (const part of parts) {
    const every = momentsOf(fault => 'kill' in fault && fault.kill === part)
    expect(momentsOf(fault => 'stop' in fault && fault.stop === part)).toBe(every)
    expect(page).toContain(`killed and stopped at each of ${every} moments`)
  }
  const cut = momentsOf(fault => 'cut' in fault && fault.cut === 'gateway')
  const unplugged = momentsOf(fault => 'unplug' in fault)
  expect(page).toContain(`cut off at ${cut} of them and the modem unplugged at ${unplugged}`)
})
