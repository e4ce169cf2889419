// Counts where tasks met openings and kills: such a meeting is no line of the log by itself.

import type { FakeWorld } from '@callgate/world/fake'
import type { Truth } from './truth.ts'

/** Logs each meeting in the name of the house, so that it is counted with the faults, and traced. */
export function logMeetings(world: FakeWorld, { hints, taskRuns }: Truth): void {
  const isDeath = /^killed/
  const cloudDeaths = world.lines.filter(
    ({ fields, message }) => isDeath.test(message) && String(fields.who).startsWith('cloud'),
  )
  for (const { beganMs, endedMs, gatewayId, taskId } of taskRuns) {
    const isIn = ({ atMs }: { readonly atMs: number }) =>
      atMs > beganMs && atMs < (endedMs ?? beganMs + 30_000)
    const met = [
      ...(hints.some(hint => hint.gatewayId === gatewayId && isIn(hint))
        ? ['opening while a task runs']
        : []),
      ...(endedMs === undefined ? ['gateway killed in a task'] : []),
      ...(cloudDeaths.some(isIn) ? ['cloud killed in a task'] : []),
    ]
    if (met.length > 0) world.log.info('a task was met', { who: 'house', met, taskId })
  }
}
