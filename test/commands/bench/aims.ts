// The aims of the benchmarks: the limit of each figure, and the table of all measurements of a run.

import { percentile } from './figures.ts'

/** A figure with its limit, as measured by one or more rounds. */
export interface Aim {
  readonly what: string
  readonly unit: string
  readonly rounds: readonly number[]
  readonly limit: { readonly atMost: number } | { readonly atLeast: number }
  /** The values that must be within the limit: the median of the rounds, or each of them. */
  readonly checked: 'median' | 'each'
}

/** Adds an aim to the table. */
export type NoteAim = (aim: Aim) => void

/** Whether the rounds are within the limit; false where a round measured nothing. */
export function isReached({ limit, checked, rounds }: Aim): boolean {
  const within = (value: number) => ('atMost' in limit ? value <= limit.atMost : value >= limit.atLeast)
  if (rounds.length === 0 || !rounds.every(Number.isFinite)) return false
  return checked === 'each' ? rounds.every(within) : within(percentile(rounds, 0.5))
}

/** About three digits, without a power of ten; `?` where nothing was measured. */
function short(value: number): string {
  return Number.isFinite(value)
    ? value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
    : '?'
}

function row(aim: Aim): string {
  const { limit, rounds, unit, what } = aim
  const figures = [0, 0.5, 1].map(share =>
    short(percentile(rounds.filter(Number.isFinite), share)).padStart(8),
  )
  const wanted = 'atMost' in limit ? `≤ ${limit.atMost}` : `≥ ${limit.atLeast}`
  const verdict = isReached(aim) ? 'reached' : 'MISSED'
  return `  ${what.padEnd(58)}${figures.join('')} ${String(rounds.length).padStart(7)}   ${`${wanted} ${unit}`.padEnd(14)} ${verdict}`
}

/** The table of all recorded aims. */
export function tableOf(aims: readonly Aim[]): readonly string[] {
  if (aims.length === 0) return []
  const head = `  ${''.padEnd(58)}${['min', 'median', 'max'].map(name => name.padStart(8)).join('')}  rounds   aim`
  return ['', 'Aims', head, ...aims.map(row)]
}
