// A part's absences: when it was stopped, and when it was dead.

import { expect, it } from 'vitest'
import { partProcess } from './processes.ts'

it('a process remembers the times when it was stopped or dead', async () => {
  const part = partProcess({
    args: ['-e', 'setInterval(() => {}, 1000)'],
    environment: process.env,
    logPath: '/dev/null',
  })
  part.start()
  expect(part.absences()).toEqual([])
  part.pause()
  expect(part.absences()).toMatchObject([{ how: 'stopped', untilMs: Number.POSITIVE_INFINITY }])
  part.resume()
  part.kill()
  await part.ended()
  part.start()
  part.kill()
  await part.ended()
  const absences = part.absences()
  expect(absences.map(({ how }) => how)).toEqual(['stopped', 'killed', 'killed'])
  expect(absences.map(({ fromMs, untilMs }) => untilMs >= fromMs)).toEqual([true, true, true])
  expect(absences.map(({ untilMs }) => Number.isFinite(untilMs))).toEqual([true, true, false])
})
