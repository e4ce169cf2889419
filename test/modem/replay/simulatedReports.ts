// Reports of simulated modems: the lines of the driver at the simulator, recorded and masked as those of a real modem.

import { writeFileSync } from 'node:fs'
import type { CallMode } from '@callgate/contract/call/callProfile'
import { NumberMasks } from '@callgate/modem/record/maskNumber'
import { maskRecording } from '@callgate/modem/record/maskRecording'
import type { Recording } from '@callgate/modem/record/recording'
import { recordingLines } from '@callgate/modem/record/recordingText'
import { framed, readReport } from '@callgate/modem/record/reportFile'
import { type ModelName, models } from '@callgate/simulator/core/model'
import type { FarEndName, ModemFaultName } from '@callgate/simulator/presets'
import { callsInTurn, pageModels, type TruthCall } from '../truth/calls.ts'
import { fixtureFile, fixtureText } from './reportFixtures.ts'

export interface SimulatedTurn {
  readonly model: ModelName
  readonly seed: number
  readonly faults?: readonly ModemFaultName[]
  readonly gates: readonly { readonly mode: CallMode; readonly farEnd: FarEndName }[]
}

/** The calls of a turn, as a report holds them: masked, written and read again, with what the relays did. */
export async function recordedTurn(turn: SimulatedTurn): Promise<Recording> {
  let recording: Recording = { setUp: null, failedSetUp: null, calls: [] }
  const made: readonly TruthCall[] = await callsInTurn({ ...turn, onRecording: given => (recording = given) })
  const masked = maskRecording(recording, { numbers: new NumberMasks(), secrets: [] })
  const read = readReport(framed(recordingLines(masked)))
  if (!read.ok) throw new Error(`${turn.model}: ${read.message}`)
  const calls = read.recording.calls.map((call, place) => {
    const hasMoved = made[place]?.hasMoved
    return hasMoved === undefined ? call : { ...call, hasMoved }
  })
  return { ...read.recording, calls }
}

/** The calls of each fixture. */
const gates = [
  { mode: 'reject', farEnd: 'reject_busy' },
  { mode: 'answer_release', farEnd: 'answer_release_2s' },
  { mode: 'reject', farEnd: 'busy_before_alert' },
] as const

/** The name and the text of each fixture that comes from the simulator. */
export async function simulatedFixtures(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const model of pageModels) {
    const recording = await recordedTurn({ model, seed: 1, gates })
    const source = `Our simulator, no real modem: ${models[model].summary}. Written by "pnpm replay --simulated".`
    texts.set(`simulated-${model}`, fixtureText(source, recording))
  }
  return texts
}

/** Writes them to the folder of the fixtures. */
export async function writeSimulatedFixtures(): Promise<readonly string[]> {
  const texts = await simulatedFixtures()
  for (const [name, text] of texts) writeFileSync(fixtureFile(name), text)
  return [...texts.keys()]
}
