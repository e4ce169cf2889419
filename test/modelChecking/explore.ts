// Model checking of the real cores: every interleaving within given bounds, on a wire that may do anything except forge.

import { decidePress } from '@callgate/cloud/core/pressDecision'
import { decideClaim } from '@callgate/cloud/opening/core/claimDecision'
import { handOver } from '@callgate/cloud/opening/core/openingEnd'
import { decideReport } from '@callgate/cloud/opening/core/reportDecision'
import { stepOpener } from '@callgate/gateway/core/opener'
import { mayDial } from '@callgate/gateway/core/openerState'
import { press, receiveBeat, receiveClaim, receiveReport, restartCloud, timeEnds } from './cloudMoves.ts'
import { callLastsMs, gatewayMoves, type Leftover, type Move } from './gatewayMoves.ts'
import { type Cores, firstHouse, gatewayIds, type House, isOver, openingIds } from './modelledHouse.ts'
import { createKeyMaker } from './stateKeys.ts'
import { type Walked, walk } from './walk.ts'

export interface Bounds {
  readonly openings: 1 | 2
  /** Whether both openings are for the same number. The second then joins the first, or comes after it. */
  readonly isOneNumber: boolean
  readonly gateways: 1 | 2
  /** The times of the clock: before and after the 6 s of a claim, the 12 s of a grant and the 100 s of a number's lock. */
  readonly clockMs: readonly number[]
  /** Presses and restarts happen only until then. Afterwards only messages and time move. */
  readonly troubleUntilMs: number
  readonly gatewayRestarts: number
  readonly leftovers: readonly Leftover[]
  readonly cloudRestarts: number
  readonly mostStates: number
}

export interface Explored extends Walked {
  /** The highest number of dialled openings in any state. */
  readonly dialled: number
}

function cloudMoves(cores: Cores, bounds: Bounds, house: House): Move[] {
  const isTroubled = house.nowMs <= bounds.troubleUntilMs
  const moves: Move[] = []
  const unpressed = openingIds.slice(0, bounds.openings).find(id => !house.openings[id])
  if (unpressed && isTroubled) {
    const phoneNumber = bounds.isOneNumber ? 'number' : unpressed
    moves.push([`press ${unpressed}`, press(cores, house, unpressed, phoneNumber)])
  }
  for (const claim of house.claims) moves.push([`claim ${claim.nonce}`, receiveClaim(cores, house, claim)])
  for (const report of house.reports)
    moves.push(
      [`report ${report.key}`, receiveReport(cores, house, report, false)],
      [`report ${report.key}, acknowledged`, receiveReport(cores, house, report, true)],
    )
  for (const gatewayId of gatewayIds.slice(0, bounds.gateways))
    moves.push([`beat of ${gatewayId}`, receiveBeat(cores, house, gatewayId)])
  for (const id of Object.keys(house.openings))
    for (const ended of timeEnds(cores, house, id)) moves.push([`time of ${id}`, ended])
  if (isTroubled && house.restarts.cloud < bounds.cloudRestarts)
    moves.push(['restart', restartCloud(cores, house)])
  return moves.map(([name, next]) => [`cloud: ${name}`, next])
}

function movesFrom(cores: Cores, bounds: Bounds, house: House): Move[] {
  const isTroubled = house.nowMs <= bounds.troubleUntilMs
  const leftovers = isTroubled && house.restarts.gateways < bounds.gatewayRestarts ? bounds.leftovers : []
  const moves = [
    ...gatewayIds
      .slice(0, bounds.gateways)
      .flatMap(gatewayId => gatewayMoves(cores, house, gatewayId, leftovers)),
    ...cloudMoves(cores, bounds, house),
  ]
  const nowMs = bounds.clockMs.find(ms => ms > house.nowMs)
  const isFree = ({ dialledAtMs }: { dialledAtMs: number | undefined }) =>
    dialledAtMs === undefined || nowMs === undefined || dialledAtMs + callLastsMs >= nowMs
  if (nowMs !== undefined && Object.values(house.gateways).every(isFree))
    moves.push([`clock: ${nowMs} ms`, { ...house, nowMs }])
  return moves
}

/** Walks breadth-first through every state within the bounds, or to the first state that breaks a promise. */
export function explore(bounds: Bounds, broken: Partial<Cores> = {}): Explored {
  const cores: Cores = {
    decidePress,
    decideClaim,
    decideReport,
    handOver,
    step: stepOpener,
    mayDial,
    ...broken,
  }
  let dialled = 0
  const walked = walk<House>({
    first: firstHouse,
    keyOf: createKeyMaker(),
    movesFrom(house) {
      dialled = Math.max(dialled, house.dialled.length)
      return movesFrom(cores, bounds, house)
    },
    isEnd: isOver,
    wrongWith: ({ wrong }) => wrong,
    mostStates: bounds.mostStates,
  })
  return { ...walked, dialled }
}
