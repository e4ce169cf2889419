// The facts that beats do not repeat, checked with the cores of both sides: any loss, restart and change, in any order.

import { wholeBeat } from '@callgate/cloud/core/beatFacts'
import type { Beat } from '@callgate/contract/wire/messages'
import { hearOfFacts, type ToldFacts, tellFacts } from '@callgate/gateway/core/toldFacts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** What happens between two beats, to a beat on its way, and to its answer. */
const Move = fc.record({
  newFacts: fc.boolean(),
  newConnection: fc.boolean(),
  isHeard: fc.boolean(),
  isAnswerHeard: fc.boolean(),
  /** By how many rows the cloud falls back: it ended before it wrote a beat down, or read an older row. */
  fallsBackBy: fc.constantFrom(0, 0, 0, 1, 2, 5),
  /** The receiving cloud is of an earlier version, which stored nothing of updates from a beat that does not contain them. */
  isEarlierCloud: fc.boolean(),
})

const bare = { online: true, modem: {} } as Beat

/** All facts that a gateway sends, different for each `name`. It sends the facts of updates where it takes updates. */
function factsOf(name: string, takesUpdates: boolean) {
  const last = { taskId: null, version: name, state: 'installed', why: null } as const
  return {
    modem: { firmware: `firmware ${name}`, lacks: [`lack ${name}`] },
    rest: {
      can: takesUpdates ? [name, 'update'] : [name],
      trusts: { number: 0, keyIds: [name] },
      ...(takesUpdates && { update: { architecture: 'arm64', last } }),
    },
  }
}

/** The beat as it is sent, with the facts only where they are new. */
function beatOf(told: ToldFacts, seq: number, takesUpdates: boolean): Beat {
  const { modem, rest } = factsOf(told.facts, takesUpdates)
  const short = { ...bare, facts: told.seq }
  return told.seq === seq ? ({ ...short, modem, ...rest } as Beat) : short
}

/** The beat as the cloud keeps it. */
function keptOf(beat: Beat, seq: number, isEarlierCloud: boolean): Beat {
  const { update, ...others } = beat
  return isEarlierCloud && beat.facts !== seq ? others : beat
}

it('a cloud knows the facts or asks for them, whatever is lost, restarted or changed', () => {
  fc.assert(
    fc.property(fc.array(Move, { maxLength: 40 }), fc.boolean(), (moves, takesUpdates) => {
      let told: ToldFacts | undefined
      let [facts, connection] = [0, 0]
      const rows: Beat[] = []
      for (const [place, move] of moves.entries()) {
        const seq = place + 1
        if (move.newFacts) facts += 1
        if (move.newConnection) connection += 1
        told = tellFacts(told, { connectionId: `${connection}`, seq, facts: `${facts}`, atMs: seq * 10_000 })
        if (!move.isHeard) continue
        for (let lost = 0; lost < move.fallsBackBy; lost++) rows.pop()
        const { answer, beat } = wholeBeat(beatOf(told, seq, takesUpdates), seq, rows.at(-1))
        rows.push(keptOf(beat, seq, move.isEarlierCloud))
        if (answer !== 'facts_wanted') {
          const { modem, rest } = factsOf(`${facts}`, takesUpdates)
          expect(beat).toEqual({ ...bare, facts: told.seq, modem, ...rest })
        }
        if (answer && move.isAnswerHeard) told = hearOfFacts(told, { isKnown: answer === 'facts_known', seq })
      }
    }),
    { numRuns: 500 },
  )
})
