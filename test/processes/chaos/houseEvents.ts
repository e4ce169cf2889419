// Compares the committed events of a house with its rows, and with the events that the stream of each cloud delivered.

import { checkSteps, checkTold } from './eventChecker.ts'
import type { CloudName } from './layout.ts'
import type { Point } from './points.ts'
import { eventually, type RealHouse } from './realHouse.ts'
import type { Row } from './records.ts'

/** The longest delay of a stream, in milliseconds. */
const toldWithinMs = 20_000

/** The streams of clouds with the true time. A clock that is a day ahead has signed the user out. */
const followersIn = ({ baseUrls, followers }: RealHouse, { faults }: Point) =>
  followers.filter(({ at }) => {
    const name: CloudName = at === baseUrls[0] ? 'cloud' : 'otherCloud'
    return !faults.some(fault => 'clockOf' in fault && fault.clockOf === name)
  })

/** The events since a number: every stream has delivered each once, and they agree with the rows. */
export async function checkEvents(
  house: RealHouse,
  point: Point,
  sinceSeq: number,
  rows: readonly Row[],
): Promise<string[]> {
  const { records } = house
  const committed = await records.eventsAfter(sinceSeq)
  const newest = committed.at(-1)?.seq ?? 0
  const steps = checkSteps(rows, committed)
  const told = followersIn(house, point).map(async ({ at, told }) => {
    const isThere = () => (told().at(-1)?.id ?? 0) >= newest || undefined
    await eventually('the stream is there', toldWithinMs, isThere).catch(() => {})
    const own = told().filter(({ id }) => id > sinceSeq && id <= newest)
    if (own.length === 0 && committed.length > 0) return [`events: ${at} has told nothing`]
    return checkTold(own, committed).map(violation => `${violation} (${at})`)
  })
  return [...steps, ...(await Promise.all(told)).flat()]
}
