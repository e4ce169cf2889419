// Runs one opening, from the press to the acknowledged report, while one of its effects fails, and checks the promises.

import { databaseTrouble } from '@callgate/cloud/database/database'
import { readJournal } from '@callgate/gateway/journalLines'
import { check } from '../house/checks.ts'
import type { HouseGate } from '../house/furnish.ts'
import { createHouse, type House } from '../house/house.ts'
import type { Presser } from '../house/presser.ts'
import { truthOf } from '../house/truth.ts'
import { type Effect, type Fault, faultyEdges, lateMs } from './faults.ts'

export interface OneOpening {
  /** All effects of the processes between the press and the acknowledged report. */
  readonly effects: readonly Effect[]
  readonly violations: readonly string[]
  /** Status and reason, or the reason of a refused press. */
  readonly ending: string
  readonly calls: number
}

/** Everything must have ended this long after the end of the fault. */
const terminalAfterMs = 90_000
const stepMs = 1_000
/** Enough time for a wrong repetition to show, and for a lost modem to come back. */
const quietMs = 60_000

/** How long writes wait for the connection where writes are to share commits, in milliseconds. */
const busyMs = 5

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
/** A gate that ends the call itself, and one where the gateway must hang up. */
export const openingGate: HouseGate = { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } }
export const silentGate: HouseGate = { farEnd: 'ring_forever', profile: { mode: 'unverified' } }

interface Row {
  readonly id: string
  readonly spaceId: string
  readonly status: string
  readonly reason: string | null
}

const rowsOf = (house: House) => house.cloud().database.rows<Row>('select * from openings')
const isOpen = ({ status }: Row) => status === 'initiated' || status === 'connected'

/** Reports each ATD whose INTENT would be lost by a power cut at that moment. */
function watchIntents(house: House, report: (violation: string) => void) {
  for (const { disk, simulator } of house.gateways)
    simulator.onDial(callId => {
      const kept = disk().syncedContent('journal')?.toString('utf8') ?? ''
      const isKept = rowsOf(house).some(({ id }) => kept.includes(`{"kind":"intent","openingId":"${id}"}`))
      if (!isKept) report(`P8: call ${callId} was placed, and its INTENT was not on the disk`)
    })
}

/** Checks that the journal on the disk is readable. The last line may be torn: the next start of the daemon drops it. */
function journalsRead(house: House): string[] {
  return house.gateways.flatMap(({ disk }) => {
    const read = readJournal(disk().content('journal') ?? Buffer.alloc(0))
    return read.ok ? [] : [`A3: the journal cannot be read: ${JSON.stringify(read)}`]
  })
}

/** Presses, a guest with one use left or the other Space. Returns the reason when the press was refused. */
async function press(house: House, who: Presser, accepted: string[]): Promise<string | undefined> {
  let isAnswered = false
  let refused: string | undefined
  const pressed = house
    .press(0, who)
    .then(
      openingId => void accepted.push(openingId),
      (error: unknown) => {
        refused = databaseTrouble(error) ?? `A2: the press failed as a bug does: ${error}`
      },
    )
    .finally(() => {
      isAnswered = true
    })
  await house.world.until(() => isAnswered)
  await pressed
  return refused
}

const isOver = (house: House) =>
  !rowsOf(house).some(isOpen) && house.gateways.every(({ journal }) => journal()?.openings().length === 0)

/**
 * Runs the opening with the fault, waits the longest allowed time after its end, and checks the promises. With `otherSpace`,
 * another Space presses at the same moment, and writes wait for the connection, so that those of both share commits.
 */
export async function oneOpening(
  gate: HouseGate,
  fault?: Fault,
  { otherSpace: hasOtherSpace = false } = {},
): Promise<OneOpening> {
  const faults = faultyEdges(hasOtherSpace ? busyMs : 0)
  const guests = [{ gate: 0, maxUsage: 1 }]
  const house = await createHouse(1, [gate], { guests, hasOtherSpace, edges: faults.edges })
  const { world } = house
  const violations: string[] = []
  const accepted: string[] = []
  watchIntents(house, violation => violations.push(violation))
  try {
    const beganMs = world.monotonicMs()
    faults.begin(world, fault)
    const pressers: readonly Presser[] = hasOtherSpace ? [0, 'other Space'] : [0]
    const refusals = await Promise.all(pressers.map(who => press(house, who, accepted)))
    const [refused] = refusals
    violations.push(...refusals.filter(reason => reason?.startsWith('A2')).map(String))
    const lastsMs = (fault?.forMs ?? 0) + (fault?.way === 'late' ? lateMs : 0)
    const healedMs = () => (faults.injectedMs() ?? beganMs) + lastsMs
    while (world.monotonicMs() < healedMs() || !isOver(house)) {
      if (world.monotonicMs() >= healedMs() + terminalAfterMs) break
      await world.advance(stepMs)
    }
    const effects = [...faults.effects]
    faults.end()
    const left = rowsOf(house).filter(isOpen)
    violations.push(...left.map(({ id, status }) => `A2: ${id} is ${status} 90 s after the end of the fault`))
    await world.advance(quietMs)
    const away = [{ fromMs: beganMs, toMs: healedMs() }]
    const pressed = accepted.map(openingId => ({ openingId, pressedMs: beganMs }))
    const noted = { forbidden: [], prepared: [], clockSetMs: [], databaseSetBackMs: [], databaseSlow: [] }
    const nothing = { ...noted, keyed: [], drift: 0 }
    const truth = await truthOf(house, {
      presses: pressers.length,
      accepted: pressed,
      caps: [1],
      away,
      ...nothing,
    })
    // During the fault the gateway may be unable to hang up: its timer or its serial line may fail.
    const failing = { fromMs: faults.injectedMs() ?? beganMs, toMs: healedMs() }
    const gateways = truth.gateways.map(gateway => ({
      ...gateway,
      couldNotHangUp: [...gateway.couldNotHangUp, failing],
    }))
    violations.push(...check({ ...truth, gateways }), ...journalsRead(house))
    const [row] = rowsOf(house).filter(({ spaceId }) => spaceId === house.ids.spaceId)
    return {
      effects,
      violations,
      ending: row ? `${row.status} ${row.reason}` : `refused: ${refused}`,
      calls: house.gateways.reduce((sum, { simulator }) => sum + simulator.state().calls.length, 0),
    }
  } finally {
    await house.close()
  }
}
