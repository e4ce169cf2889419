// The end of an opening in the database: its row, the joiners that end with it, and the counters of its gate and access.

import type { GateCallers } from '@callgate/contract/call/gateCallers'
import { isoTime } from '@callgate/world/world'
import type { Ending, OpeningRow } from '../core/opening.ts'
import { stepsOfEnd } from '../core/openingSteps.ts'
import type { Db } from '../database/database.ts'
import { sent } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'
import { countAtGate, noteKnownNumber } from '../gate/gateRows.ts'
import { giveUsageBack, recordUsage } from '../member/accessUsage.ts'
import { changeAtEnd, consequencesOf, type EndKind, handOver } from './core/openingEnd.ts'
import { recordSteps } from './openingEvents.ts'
import { joinersOf } from './openingRows.ts'
import { readGateCallers } from './permits.ts'

export interface End {
  readonly row: OpeningRow
  readonly end: EndKind
  readonly ending: Ending
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** Whether a joiner is still in time to lead; where it is left out, no joiner leads. */
  readonly isInTime?: (joiner: OpeningRow) => boolean
  /** What the transaction has read already: who has joined, and which gateways may call the gate. */
  readonly joiners?: readonly OpeningRow[]
  readonly callers?: GateCallers
}

export interface Ended {
  /** The row of the leading opening before its end. */
  readonly row: OpeningRow
  readonly ending: Ending
  /** The id of the opening and those of the joiners that ended with it. */
  readonly endedIds: readonly string[]
  /** Whether a call was placed, or may have been. */
  readonly dialled: boolean
  /** Whether the gateway has reported a call that its modem may still carry out: the number stays locked. */
  readonly isUnheard: boolean
  /** The joiner that leads now. */
  readonly heir: OpeningRow | undefined
}

const writeEnd = statement<Values & { readonly id: string }, never>((db, { id, ...change }) =>
  db('openings').where({ id }).update(change),
)

/** Where a call shows that the gate has opened, its module knows the number of the gateway. */
const showsNumber = ({ confidence, opened }: Ending) =>
  (opened === 'yes' || opened === 'likely') && (confidence === 'certain' || confidence === 'likely')

/** Counts a completed call at its gate and its access. Joiners are not counted. */
async function countCompleted(tx: Db, { callers, ending, row }: End, completedAt: string): Promise<void> {
  const gate = { id: row.gateId, spaceId: row.spaceId }
  await countAtGate(tx, gate, completedAt)
  if (row.gatewayId !== null && showsNumber(ending))
    await noteKnownNumber(tx, gate, callers ?? (await readGateCallers(tx, row)), row.gatewayId)
  if (row.accessId !== null) await recordUsage(tx, row, completedAt)
}

/** Lets the oldest joiner in time lead and ends those that are too late. */
async function endJoiners(
  tx: Db,
  of: End,
  completedAt: string,
): Promise<{ readonly heir: OpeningRow | undefined; readonly tooLate: readonly OpeningRow[] }> {
  const { end, ending, isInTime = () => false, row } = of
  const joiners = of.joiners ?? (await joinersOf(tx, { joinedOpeningId: row.id }))
  const { followers, heir, tooLate } = handOver(joiners, end, isInTime)
  for (const joiner of tooLate)
    await tx<OpeningRow>('openings')
      .where({ id: joiner.id })
      .update({ ...ending, completedAt: joiner.calledAt > completedAt ? joiner.calledAt : completedAt })
  if (heir) {
    await tx<OpeningRow>('openings')
      .where({ id: heir.id })
      .update({ joinedOpeningId: null, lockedNumber: heir.phoneNumber })
    await tx<OpeningRow>('openings')
      .whereIn(
        'id',
        followers.map(follower => follower.id),
      )
      .update({ joinedOpeningId: heir.id })
  }
  return { heir, tooLate }
}

/** Ends an opening and its joiners, or lets a joiner lead, and updates the counters. */
export async function endOpening(tx: Db, of: End): Promise<Ended> {
  const { atMs, end, ending, row } = of
  const { dialled, freesNumber, isSettled } = consequencesOf[end]
  // The wall clock may have been set back since the opening began.
  const completedAt = isoTime(Math.max(atMs, Date.parse(row.calledAt)))
  // At most once: afterwards the row says that it holds no use.
  if (row.usageHeld && !dialled) await giveUsageBack(tx, row)
  await sent(tx, writeEnd(tx, { id: row.id, ...changeAtEnd(row, end, ending), completedAt }))
  if (ending.status === 'completed' && row.joinedOpeningId === null) await countCompleted(tx, of, completedAt)
  const { heir, tooLate } = await endJoiners(tx, of, completedAt)
  await recordSteps(tx, row, stepsOfEnd(ending), { atMs: Date.parse(completedAt), joined: tooLate })
  const endedIds = [row.id, ...tooLate.map(joiner => joiner.id)]
  return { row, ending, endedIds, dialled, isUnheard: isSettled && !freesNumber, heir }
}
