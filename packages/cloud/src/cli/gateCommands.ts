// The operator's commands on gates: what they do and print.

import { CallProfileInput, calibrationOf, callProfile } from '@callgate/contract/call/callProfile'
import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import { refusedKinds } from '@callgate/contract/number/refusedRanges'
import { checker } from '@callgate/contract/validate'
import { type OperatorFiles, readNamed } from '../backup/operatorFiles.ts'
import type { Database } from '../database/database.ts'
import { actor, type CommandWork, columns, refuse, type Said } from './commandWork.ts'

interface Stored {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly phoneNumber: string
}

/** The gates of one Space or of all with numbers in a refused range, with the rule. */
async function listRefusedGates(database: Database, space: string | undefined) {
  const stored: readonly Stored[] = await database
    .knex<Stored>('gates')
    .where(space === undefined ? {} : { spaceId: space })
    .orderBy(['spaceId', 'id'])
    .select('id', 'spaceId', 'name', 'phoneNumber')
  return stored.flatMap(({ id, spaceId, ...gate }) => {
    const refusal = numberRefusal(gate.phoneNumber)
    return refusal ? [{ gateId: id, spaceId, ...gate, prefix: refusal.prefix, kind: refusal.kind }] : []
  })
}

/** `gate refused`: the stored gates that a press would not call. */
const refused: CommandWork = async ({ database }, { space }) => {
  const gates = await listRefusedGates(database, space)
  const rows = gates.map(({ gateId, kind, name, phoneNumber, prefix, spaceId }) => [
    spaceId,
    gateId,
    name,
    phoneNumber,
    `${prefix}: ${refusedKinds[kind]}`,
  ])
  return { ok: true, json: { gates }, text: columns(['SPACE', 'GATE', 'NAME', 'NUMBER', 'RULE'], rows) }
}

const checkProfile = checker(CallProfileInput, 'the call profile')

/** The call profile in a file, with the defaults of its mode; or the fault of the file. */
async function readProfile(files: OperatorFiles, file: string): Promise<ReturnType<typeof checkProfile>> {
  const bytes = await readNamed(files, file)
  if (typeof bytes === 'string') return { ok: false, message: `it ${bytes}` }
  try {
    return checkProfile(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

const noGate = (gate: string) => refuse(`There is no gate ${gate}; see "callgate gate list".`)

async function showProfile(database: Database, gate: string): Promise<Said> {
  const { findProfile } = await import('../gate/gates.ts')
  const found = await findProfile(database.knex, { id: gate })
  if (!found) return noGate(gate)
  const { name, profile, spaceId } = found
  const json = { gateId: gate, spaceId, name, callProfile: profile }
  return {
    ok: true,
    json,
    text: `${name}: ${calibrationOf(profile).replaceAll('_', ' ')}\n${JSON.stringify(profile, null, 2)}`,
  }
}

export const gateWork = {
  async profile({ database, files, world }, { gate = '', file }) {
    if (file === undefined) return showProfile(database, gate)
    const read = await readProfile(files, file)
    if (!read.ok) return refuse(`The call profile in ${file} cannot be used: ${read.message}.`)
    const profile = callProfile(read.value)
    // `gate refused` does not need the module of gates, which loads the phone numbers of all countries.
    const { profileConflict, setGateProfile } = await import('../gate/gates.ts')
    const conflict = profileConflict(profile)
    if (conflict !== undefined)
      return refuse(`The call profile in ${file} cannot be used: ${conflict.message}`)
    const changed = await setGateProfile({ database, world }, { gateId: gate, profile, actor })
    if (!changed) return noGate(gate)
    const json = { gateId: gate, ...changed, callProfile: profile }
    return { ok: true, json, text: `The gate ${changed.name} has the call profile ${profile.mode}.` }
  },
  refused,
} satisfies Record<string, CommandWork>
