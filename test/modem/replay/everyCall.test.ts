// Every call of the truth matrix, recorded as a report holds it, is judged by the same driver as it was.

import { callModes } from '@callgate/contract/call/callProfile'
import { modelNames } from '@callgate/simulator/core/model'
import { modelFaults } from '@callgate/simulator/modelFaults'
import { farEndNames } from '@callgate/simulator/presets'
import { expect, it } from 'vitest'
import { pageModels } from '../truth/calls.ts'
import { faultsOf } from '../truth/variation.ts'
import { replayCall } from './replayCall.ts'
import { recordedTurn, type SimulatedTurn } from './simulatedReports.ts'

/** The calls of a turn that are not judged as they were. */
async function judgedOtherwise(turn: SimulatedTurn): Promise<readonly string[]> {
  const { calls } = await recordedTurn(turn)
  expect(calls).toHaveLength(turn.gates.length)
  const others: string[] = []
  for (const [place, call] of calls.entries()) {
    const replayed = await replayCall(call)
    const name = `${JSON.stringify(turn.gates[place])} ${turn.faults} ${turn.seed}`
    if (replayed.result !== 'same') others.push(`${name}: ${JSON.stringify(replayed)}`)
  }
  return others
}

it.each(pageModels)('on %s, at every far end in every mode', async model => {
  const others: string[] = []
  for (const farEnd of farEndNames)
    for (const seed of [1, 2]) {
      const gates = callModes.map(mode => ({ mode, farEnd }))
      others.push(...(await judgedOtherwise({ model, seed, faults: faultsOf(seed), gates })))
    }
  expect(others).toEqual([])
})

it.each(modelNames.filter(name => name !== 'listless'))('on %s, with each fault of its own', async model => {
  const farEnds = ['reject_busy', 'ring_forever', 'answer_hold', 'busy_before_alert'] as const
  const others: string[] = []
  for (const fault of modelFaults[model])
    for (const farEnd of farEnds) {
      const gates = (['reject', 'answer_release', 'unverified'] as const).map(mode => ({ mode, farEnd }))
      others.push(...(await judgedOtherwise({ model, seed: 1, faults: [fault], gates })))
    }
  expect(others).toEqual([])
})
