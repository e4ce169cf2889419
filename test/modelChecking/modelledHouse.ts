// One state of the model: two openings, two gateways with their journals, the cloud's rows, and all messages ever sent.

import { type Ending, isRunning, type OpeningRow, transitions } from '@callgate/cloud/core/opening'
import type { decidePress } from '@callgate/cloud/core/pressDecision'
import type { decideClaim } from '@callgate/cloud/opening/core/claimDecision'
import { changeAtEnd, type EndKind, type handOver } from '@callgate/cloud/opening/core/openingEnd'
import type { decideReport } from '@callgate/cloud/opening/core/reportDecision'
import { openingRow } from '@callgate/cloud/opening/openingRow.kit'
import type { Report } from '@callgate/contract/wire/messages'
import { grantWithinMs } from '@callgate/contract/wire/timing'
import type { stepOpener } from '@callgate/gateway/core/opener'
import { type Claim, type mayDial, type OpenerState, openerState } from '@callgate/gateway/core/openerState'
import { isoTime } from '@callgate/world/world'

/** The decisions under test. A test may replace a real one by a broken one. */
export interface Cores {
  readonly decidePress: typeof decidePress
  readonly decideClaim: typeof decideClaim
  readonly decideReport: typeof decideReport
  readonly handOver: typeof handOver
  readonly step: typeof stepOpener
  readonly mayDial: typeof mayDial
}

export interface Opening {
  readonly row: OpeningRow
  readonly calledAtMs: number
  /** The start of the time that the cloud counts as its age since its last start; undefined when it does not count. */
  readonly acceptedAtMs: number | undefined
  readonly endedAtMs: number | undefined
}

export type SentClaim = Claim & { readonly gatewayId: string; readonly bootId: string }

export interface SentReport {
  readonly key: string
  readonly gatewayId: string
  readonly bootId: string
  readonly openingId: string
  readonly report: Report
}

export interface Gateway {
  readonly boot: number
  readonly opener: OpenerState
  /** The effect of the opener that is still to be carried out. `rings`: a call that already rings. */
  readonly due: 'intend' | 'dial' | 'call' | 'rings' | undefined
  readonly dialledAtMs: number | undefined
  /** Openings with an INTENT on the disk and no final report. */
  readonly intents: readonly string[]
  /** Reports in the journal that were not acknowledged. */
  readonly unacknowledged: readonly SentReport[]
  readonly reportCount: number
}

export interface House {
  readonly nowMs: number
  readonly openings: Readonly<Record<string, Opening>>
  /** The latest known boot, and those before it (`gatewayBoots.ts`). */
  readonly boots: Readonly<Record<string, { readonly known: string; readonly superseded: readonly string[] }>>
  readonly restarts: { readonly gateways: number; readonly cloud: number }
  readonly gateways: Readonly<Record<string, Gateway>>
  /** All messages ever sent. Each may arrive at any time, any number of times, or never. */
  readonly claims: readonly SentClaim[]
  readonly grants: readonly { readonly to: SentClaim; readonly granted: boolean }[]
  readonly reports: readonly SentReport[]
  /** The keys of the reports that the cloud has applied. */
  readonly applied: readonly string[]
  readonly dialled: readonly string[]
  readonly wrong: string | undefined
}

export const openingIds = ['open_a', 'open_b'] as const
export const gatewayIds = ['gw_a', 'gw_b'] as const
export const bootOf = (gatewayId: string, boot: number) => `${gatewayId}/${boot}`

function newGateway(gatewayId: string): Gateway {
  return {
    boot: 0,
    opener: openerState(bootOf(gatewayId, 0), []),
    due: undefined,
    dialledAtMs: undefined,
    intents: [],
    unacknowledged: [],
    reportCount: 0,
  }
}

export const firstHouse: House = {
  nowMs: 0,
  openings: {},
  boots: Object.fromEntries(gatewayIds.map(id => [id, { known: bootOf(id, 0), superseded: [] }])),
  restarts: { gateways: 0, cloud: 0 },
  gateways: Object.fromEntries(gatewayIds.map(id => [id, newGateway(id)])),
  claims: [],
  grants: [],
  reports: [],
  applied: [],
  dialled: [],
  wrong: undefined,
}

export function gatewayOf(house: House, gatewayId: string): Gateway {
  const gateway = house.gateways[gatewayId]
  if (!gateway) throw new Error(`no gateway ${gatewayId}`)
  return gateway
}

export function newRow(id: string, phoneNumber: string, nowMs: number): OpeningRow {
  const times = { calledAt: isoTime(nowMs), grantBefore: isoTime(nowMs + grantWithinMs) }
  return { ...openingRow, id, phoneNumber, ...times }
}

/** The age by the clock in the cloud's memory. */
export function ageOf(house: House, opening: Opening): number | undefined {
  return opening.acceptedAtMs === undefined ? undefined : house.nowMs - opening.acceptedAtMs
}

/** Changes the row of an opening, and checks that the change of status is allowed. */
export function withRow(house: House, id: string, change: Partial<OpeningRow>): House {
  const before = house.openings[id]
  if (!before) throw new Error(`no opening ${id}`)
  const row = { ...before.row, ...change }
  const isAllowed = row.status === before.row.status || transitions[before.row.status].includes(row.status)
  const endedAtMs = isRunning(row) ? undefined : (before.endedAtMs ?? house.nowMs)
  const wrong = isAllowed ? house.wrong : `A2: ${id} went from ${before.row.status} to ${row.status}`
  // A called gate must not be recorded as not opened.
  const isFalse = row.opened === 'no' && row.joinedOpeningId === null && house.dialled.includes(id)
  return {
    ...house,
    openings: { ...house.openings, [id]: { ...before, row, endedAtMs } },
    wrong: isFalse ? `A3: ${id} is recorded as not opened, and was called` : wrong,
  }
}

export interface End {
  readonly end: EndKind
  readonly ending: Ending
}

/** Ends an opening and its joiners, as `endOpening.ts` does. */
export function endOpening(cores: Cores, house: House, id: string, { end, ending }: End): House {
  let next = withRow(house, id, changeAtEnd({ usageHeld: false }, end, ending))
  const rows = Object.values(next.openings).map(({ row }) => row)
  const joiners = rows.filter(({ joinedOpeningId }) => joinedOpeningId === id)
  const isInTime = ({ id: joiner }: OpeningRow) => {
    const opening = next.openings[joiner]
    const ageMs = opening && ageOf(next, opening)
    return ageMs !== undefined && ageMs < grantWithinMs
  }
  const { followers, heir, tooLate } = cores.handOver(joiners, end, isInTime)
  for (const joiner of tooLate) next = withRow(next, joiner.id, ending)
  if (heir) next = withRow(next, heir.id, { joinedOpeningId: null, lockedNumber: heir.phoneNumber })
  for (const follower of followers) next = withRow(next, follower.id, { joinedOpeningId: heir?.id ?? null })
  return next
}

/**
 * The cloud learns of a boot that answered its challenge (`beats.ts`). Undefined when the boot is superseded. A boot that does
 * not run cannot answer a challenge.
 */
export function withBoot(house: House, gatewayId: string, bootId: string): House | undefined {
  const boot = house.boots[gatewayId]
  if (boot?.known === bootId) return house
  if (boot?.superseded.includes(bootId)) return undefined
  const superseded = boot ? [...boot.superseded, boot.known].sort() : []
  return { ...house, boots: { ...house.boots, [gatewayId]: { known: bootId, superseded } } }
}

/** Nothing runs, no number is locked, and nothing is unreported. */
export function isOver({ gateways, openings }: House): boolean {
  return (
    Object.values(openings).every(({ row }) => !isRunning(row) && row.lockedNumber === null) &&
    Object.values(gateways).every(
      ({ due, intents, unacknowledged }) =>
        due === undefined && intents.length === 0 && unacknowledged.length === 0,
    )
  )
}
