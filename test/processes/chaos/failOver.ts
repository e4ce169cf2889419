// Checks two gateways for one gate: the second calls in time while nothing is granted, and never afterwards.

import type { Row } from './records.ts'
import type { Dial } from './simulatorLog.ts'

/**
 * The limit from the press to the ATD of the second gateway when the first one cannot dial, in milliseconds, on a quiet machine.
 */
const failsOverWithinMs = 5_000

export type TwoIds = readonly [first: string, other: string]

export interface DialledByTwo {
  readonly rows: readonly Pick<
    Row,
    'calledAt' | 'gatewayId' | 'id' | 'joinedOpeningId' | 'reason' | 'status'
  >[]
  /** The ATDs of each gateway's modem, those of the first one first. */
  readonly byGateway: readonly (readonly Dial[])[]
}

/**
 * How long after the press the second gateway dialled, milliseconds; Infinity where it was granted the opening and did not dial.
 */
export function failOversMs([, second]: TwoIds, { byGateway, rows }: DialledByTwo): number[] {
  const [, dials = []] = byGateway
  return rows
    .filter(({ gatewayId, joinedOpeningId }) => gatewayId === second && joinedOpeningId === null)
    .map(({ calledAt }) => {
      const calledMs = Date.parse(calledAt)
      const dial = dials.find(({ atMs }) => atMs >= calledMs)
      return dial === undefined ? Number.POSITIVE_INFINITY : dial.atMs - calledMs
    })
}

/**
 * Compares the leading openings with the ATDs of each gateway's modem, for the current slowness of the machine. Returns
 * violations, in words.
 */
export function checkFailOver(gatewayIds: TwoIds, told: DialledByTwo, slowness = 1): string[] {
  const [, second] = gatewayIds
  const leading = told.rows.filter(({ joinedOpeningId }) => joinedOpeningId === null)
  const ofRows = leading.flatMap(({ calledAt, gatewayId, id, reason, status }) => {
    const place = gatewayId === null ? -1 : gatewayIds.indexOf(gatewayId)
    if (place < 0) return [`lost: ${id} was granted to nobody, though a gateway was there`]
    const others = told.byGateway.filter((_, at) => at !== place).flat()
    const wrong = others.filter(({ atMs }) => atMs >= Date.parse(calledAt)).length
    return [
      ...(wrong > 0 ? [`double: ${wrong} ATD by the gateway that was not granted ${id}`] : []),
      ...(gatewayId === second && status !== 'completed' ? [`lost: ${reason} by the second gateway`] : []),
    ]
  })
  const late = failOversMs(gatewayIds, told).filter(afterMs => afterMs > failsOverWithinMs * slowness)
  return [...ofRows, ...late.map(afterMs => `late: the second gateway dialled ${afterMs} ms after the press`)]
}
