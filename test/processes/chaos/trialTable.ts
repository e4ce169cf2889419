// The table that `pnpm chaos` prints at its end: points, hits and violations.

import type { Trial } from './trial.ts'

function tally(words: readonly string[]): string {
  const names = [...new Set(words)]
  return names.map(name => `${name || 'none'} ${words.filter(word => word === name).length}`).join(', ')
}

function row(name: string, own: readonly Trial[]): string {
  const hits = own.filter(trial => trial.isHit).length
  const bad = own.filter(trial => trial.violations.length > 0).length
  const slowestS = (Math.max(0, ...own.map(({ recoveryMs }) => recoveryMs || 0)) / 1000).toFixed(1)
  const figures = [own.length, hits, bad].map(figure => String(figure).padStart(5)).join(' ')
  return `${name.padEnd(48)} ${figures} ${slowestS.padStart(7)}s  ${tally(own.map(({ reason }) => reason))}`
}

/** The lines of the table. `isWell`: there was no violation, and every point was hit `times` times. */
export function summarise(
  names: readonly string[],
  trials: readonly Trial[],
  times: number,
): { readonly isWell: boolean; readonly lines: readonly string[] } {
  const hitsOf = (name: string) => trials.filter(({ isHit, point }) => isHit && point === name).length
  const missed = names.filter(name => hitsOf(name) < times)
  const bad = trials.filter(({ violations }) => violations.length > 0)
  const hits = trials.filter(({ isHit }) => isHit).length
  return {
    isWell: bad.length === 0 && missed.length === 0,
    lines: [
      '',
      `${'point'.padEnd(48)} tried  hits   bad  slowest  outcomes`,
      ...names.map(name =>
        row(
          name,
          trials.filter(({ point }) => point === name),
        ),
      ),
      '',
      ...bad.map(({ point, violations }) => `violated at ${point}: ${violations.join('; ')}`),
      ...missed.map(name => `hit too seldom: ${name}, ${hitsOf(name)} of ${times} times`),
      `${names.length} points, ${trials.length} trials, ${hits} hits, ${bad.length} with violations`,
    ],
  }
}
