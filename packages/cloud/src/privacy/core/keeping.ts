// How long a Space keeps who opened and who changed what. Pure.

import { readKeeping } from '@callgate/contract/keeping'

const dayMs = 24 * 60 * 60 * 1000

/**
 * The first instant whose identities are kept at `nowMs`, milliseconds since the epoch. In a month without that day, it is the
 * last day.
 */
export function keptSinceMs(keeping: string, nowMs: number): number {
  const { count, unit } = readKeeping(keeping)
  if (unit === 'days') return nowMs - count * dayMs
  const now = new Date(nowMs)
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth() - count
  const [year, ofYear] = [Math.floor(month / 12), month % 12]
  const lastDay = new Date(Date.UTC(year, ofYear + 1, 0)).getUTCDate()
  return Date.UTC(year, ofYear, Math.min(now.getUTCDate(), lastDay)) + (nowMs % dayMs)
}
