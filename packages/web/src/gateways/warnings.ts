// The warnings about a gateway that a person has to act on, the most urgent first.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import { givesWayMv, weakDbm } from '@callgate/contract/app/incidentKinds'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { dipsBelow } from '../charts/stretches.ts'
import { axisOf } from './overTime.ts'

export type Warning =
  | { readonly is: 'cut_off'; readonly until: string }
  | { readonly is: 'offline'; readonly since: string | null }
  | { readonly is: 'new' }
  | { readonly is: 'too_old'; readonly version: string | null }
  /** `says`: in English, for a word that the dashboard does not know. */
  | {
      readonly is: 'trouble'
      readonly word: string
      readonly says: string
      readonly calls: readonly string[]
    }
  /** `calls`: the times of presses with an unknown end at the same time. */
  | { readonly is: 'supply'; readonly mV: number; readonly at: string; readonly calls: readonly string[] }
  | { readonly is: 'signal' }
  | { readonly is: 'number' }

/** A call with an unknown end is attributed to a dip within this time, in milliseconds. */
const nearMs = 120_000

/** The lowest dip of the supply, with the calls that it may have cut. */
function supplyDip(history: GatewayHistory): Extract<Warning, { is: 'supply' }> | undefined {
  const dips = dipsBelow(history.supplyMv, givesWayMv)
  const [lowest] = [...dips].sort((a, b) => a.value - b.value)
  if (!lowest) return undefined
  const { fromMs } = axisOf(history)
  const stepMs = history.stepS * 1000
  const calls = history.calls.filter(({ calledAt, class: kind }) => {
    const atMs = Date.parse(calledAt)
    const isNear = dips.some(({ place }) => {
      const startMs = fromMs + place * stepMs
      return atMs >= startMs - nearMs && atMs < startMs + stepMs
    })
    return kind === 'unknown' && isNear
  })
  const at = new Date(fromMs + lowest.place * stepMs).toISOString()
  return { is: 'supply', mV: lowest.value, at, calls: calls.map(({ calledAt }) => calledAt) }
}

/** The warnings. Without `history`, only those by the gateway's current report. */
export function warningsOf(
  { callerNumber, now }: Pick<GatewayView, 'callerNumber' | 'now'>,
  history?: GatewayHistory,
): readonly Warning[] {
  const { cutOffUntil, lastHeardAt, modem, state, tooOld } = now
  if (state === 'revoked') return []
  const warnings: Warning[] = []
  if (state === 'cut_off') warnings.push({ is: 'cut_off', until: cutOffUntil ?? '' })
  if (tooOld) warnings.push({ is: 'too_old', version: tooOld.version })
  else if (state === 'offline') warnings.push({ is: 'offline', since: lastHeardAt })
  else if (state === 'new') warnings.push({ is: 'new' })
  const dip = history && supplyDip(history)
  const isOnline = state === 'online'
  if (isOnline && modem?.trouble) {
    const { says, word } = modem.trouble
    warnings.push({ is: 'trouble', word, says, calls: word === 'brownout' ? (dip?.calls ?? []) : [] })
  }
  if (dip && !(isOnline && modem?.trouble?.word === 'brownout')) warnings.push(dip)
  const isWeak = modem !== null && modem.signalDbm !== null && modem.signalDbm < weakDbm
  if (isOnline && isWeak) warnings.push({ is: 'signal' })
  if (callerNumber === null) warnings.push({ is: 'number' })
  return warnings
}
