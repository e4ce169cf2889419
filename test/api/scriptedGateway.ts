// A scripted gateway for the tests of the API: it claims at once, and the called number decides what it reports.

import type { Exchange } from '@callgate/cloud/opening/exchange'
import type { Verdict } from '@callgate/contract/call/verdict'
import type { Beat, DeclineReason, Report } from '@callgate/contract/wire/messages'
import type { World } from '@callgate/world/world'

/** The last digit of a number decides how its call ends. */
export const numbers = {
  opens: '+40722000000',
  busy: '+40722000001',
  /** The gateway reports nothing; a test does so by `report`. */
  neverReports: '+40722000002',
} as const
export type NumberKind = keyof typeof numbers

/** A different number of the kind for each `index` below 1,000,000. */
export function numberOf(kind: NumberKind, index: number): string {
  return `+40722${String(index).padStart(5, '0')}${numbers[kind].slice(-1)}`
}

/** The content of its beats. */
export const beatBody: Beat = {
  online: true,
  connectionId: 'C'.repeat(22),
  journalId: 'J'.repeat(22),
  toReport: [],
  version: '9.0.0',
  uptimeS: 60,
  modem: {
    state: 'ready',
    model: 'SIM800C',
    operator: 'Orange RO',
    registration: 'home',
    signalDbm: -71,
    voltageMv: 4_020,
    trouble: null,
  },
  queueLength: 0,
}

const verdict = {
  confidence: 'likely' as const,
  cause: 17,
  endToken: 'BUSY',
  setupMs: 5000,
  ringMs: 2000,
  talkMs: null,
  witnesses: ['CLCC 3', 'BUSY'],
} satisfies Partial<Verdict>

/** The report of a call that ended `sinceClaimMs` after the claim. */
export function ended(hasOpened: boolean, sinceClaimMs = 100): Report {
  const how = hasOpened
    ? ({ status: 'completed', reason: 'rejected_after_ring', opened: 'likely', safeToRetry: false } as const)
    : ({ status: 'failed', reason: 'busy', opened: 'no', safeToRetry: true } as const)
  return { phase: 'ended', sinceClaimMs, verdict: { ...verdict, ...how }, evidence: null }
}

export interface ScriptedGateway {
  /** The granted, and so called, openings, in order. */
  readonly calls: readonly string[]
  hint(gatewayId: string, openingId: string): void
  report(openingId: string, report: Report): Promise<void>
  /** A gateway is heard now, with the beat `body`. */
  beat(gatewayId: string, body?: Beat): Promise<void>
  /** The gateway declines every opening from now on. */
  declineAll(gatewayId: string, reason: DeclineReason): void
}

/** One scripted gateway represents the gateways of all Spaces. */
export function scriptedGateway(world: World, exchange: () => Exchange): ScriptedGateway {
  const bootId = 'A'.repeat(22)
  const nonce = 'N'.repeat(22)
  const calls: string[] = []
  /** The gateway that got the hint of each opening. */
  const asked = new Map<string, string>()
  const declining = new Map<string, DeclineReason>()
  let seq = 0

  async function report(openingId: string, report: Report) {
    seq += 1
    const gatewayId = asked.get(openingId) ?? ''
    const sent = { seq, body: JSON.stringify(report), signature: 's' }
    await exchange().report({ gatewayId, openingId, bootId, ...sent, report })
  }

  async function sendBeat(gatewayId: string, body: Beat, challenge?: string) {
    seq += 1
    const { journalId, modem, online: isOnline, toReport } = body
    const { registration, signalDbm, voltageMv: supplyMv } = modem
    const figures = { registration, signalDbm, supplyMv }
    const beat = { seq, isOnline, journalId, toReport, figures, body: JSON.stringify(body) }
    const nonce = challenge === undefined ? {} : { nonce: challenge }
    return exchange().heartbeat.beat({ gatewayId, bootId, ...beat, ...nonce })
  }

  async function beat(gatewayId: string, body = beatBody) {
    const answer = await sendBeat(gatewayId, body)
    if (answer.kind === 'challenge') await sendBeat(gatewayId, body, answer.nonce)
  }

  /** The cloud answers the first claim in a Space with a challenge. */
  async function answered(claim: Parameters<Exchange['claim']>[0], challenge: string) {
    await sendBeat(claim.gatewayId, beatBody, challenge)
    return exchange().claim(claim)
  }

  async function serve(gatewayId: string, openingId: string) {
    const reason = declining.get(gatewayId)
    if (reason) return report(openingId, { phase: 'declined', reason })
    const claim = { gatewayId, openingId, nonce, bootId, sinceBootMs: world.sinceBootMs() }
    const first = await exchange().claim(claim)
    const grant = first && 'challenge' in first ? await answered(claim, first.challenge) : first
    if (!grant?.granted) return
    calls.push(openingId)
    const kind = grant.phoneNumber.slice(-1)
    if (kind !== '2') await report(openingId, ended(kind === '0'))
  }

  return {
    calls,
    report,
    beat,
    declineAll: (gatewayId, reason) => declining.set(gatewayId, reason),
    hint(gatewayId, openingId) {
      if (asked.has(openingId)) return
      asked.set(openingId, gatewayId)
      serve(gatewayId, openingId).catch((error: unknown) =>
        world.log.error('the scripted gateway failed', { openingId, why: String(error) }),
      )
    },
  }
}
