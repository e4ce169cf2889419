// The facts that beats do not repeat, by the cores of both sides: any loss, restart and change, in any order.

import { wholeBeat } from '@callgate/cloud/core/beatFacts'
import type { Beat } from '@callgate/contract/wire/messages'
import { hearOfFacts, type ToldFacts, tellFacts } from '@callgate/gateway/core/toldFacts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** What happens between two beats, and to a beat on its way and to its answer. */
const Move = fc.record({
  newFacts: fc.boolean(),
  newConnection: fc.boolean(),
  isHeard: fc.boolean(),
  isAnswerHeard: fc.boolean(),
  /** The cloud ends before it has written the beat down, or knows what an older row says. */
  fallsBackBy: fc.constantFrom(0, 0, 0, 1, 2, 5),
})

const bare = { online: true, modem: {} } as Beat
const trusting = (keyId: string) => ({ number: 0, keyIds: [keyId] })

/** The beat as it goes out, and as the gateway means it. */
function beatOf(told: ToldFacts, seq: number): Beat {
  return { ...bare, facts: told.seq, ...(told.seq === seq && { trusts: trusting(told.facts) }) }
}

it('a cloud knows the facts, or wants them, whatever is lost, restarted or changed', () => {
  fc.assert(
    fc.property(fc.array(Move, { maxLength: 40 }), moves => {
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
        const { answer, beat } = wholeBeat(beatOf(told, seq), seq, rows.at(-1))
        rows.push(beat)
        if (answer !== 'facts_wanted') expect(beat.trusts).toEqual(trusting(`${facts}`))
        if (answer && move.isAnswerHeard) told = hearOfFacts(told, { isKnown: answer === 'facts_known', seq })
      }
    }),
    { numRuns: 500 },
  )
})
