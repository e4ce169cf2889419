// The operator's commands on gates that an admin has as well: what they do and print.

import { type CallProfile, calibrationOf } from '@callgate/contract/call/callProfile'
import { type Gate, GateUpdate, gateOperations } from '@callgate/contract/rest/gate'
import type { Database } from '../database/database.ts'
import { gateHandlers } from '../gate/gates.ts'
import { notFound } from '../http/notFound.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'
import { sayExternal } from './externalOptions.ts'
import { gateFields } from './gateFields.ts'
import { isRefused, type Operator, operatorIn, orNull } from './operator.ts'

interface Desk extends Operator {
  readonly parts: CommandParts
  readonly does: ReturnType<typeof gateHandlers>
}

const atDesk =
  (work: (desk: Desk, options: Options) => Promise<Said>): CommandWork =>
  async (parts, options) => {
    const operator = await operatorIn(parts, options)
    return isRefused(operator) ? operator : work({ ...operator, parts, does: gateHandlers(parts) }, options)
  }

/** The fields of a gate from the options. */
const fieldsOf = (options: Options) => ({
  ...Object.fromEntries(gateFields.map(({ field, name }) => [field, options[name]])),
  externalId: orNull(options['externalId']),
})

const isNullable = (field: string) =>
  Object.entries(GateUpdate.properties).some(([name, schema]) => name === field && 'anyOf' in schema)

type Calibration = ReturnType<typeof calibrationOf>
type CalibratedGate = Gate & { readonly calibration: Calibration }

/** Adds what is known of how each gate takes a call; the API gives that with the profile. */
async function withCalibration(
  { knex }: Database,
  spaceId: string,
  gates: readonly Gate[],
): Promise<readonly CalibratedGate[]> {
  const rows: readonly { readonly id: string; readonly callProfile: string }[] = await knex('gates')
    .where({ spaceId })
    .select('id', 'callProfile')
  const known = new Map(
    rows.map(({ callProfile, id }) => [id, calibrationOf(JSON.parse(callProfile) as CallProfile)]),
  )
  return gates.map(gate => ({ ...gate, calibration: known.get(gate.id) ?? 'none' }))
}

const calibrationSays: Readonly<Record<Calibration, string>> = {
  none: 'not calibrated',
  declared: 'not measured',
  measured: 'measured',
}

const gateLines = (gates: readonly CalibratedGate[]) =>
  columns(
    ['GATE', 'NAME', 'NUMBER', 'STATE', 'CALIBRATION', 'OPENINGS', 'LAST OPENED', 'LOCATION'],
    gates.map(gate => [
      ...[gate.id, gate.name, gate.phoneNumber],
      gate.isActive ? 'active' : 'not active',
      calibrationSays[gate.calibration],
      String(gate.openCount),
      gate.lastOpenedAt,
      gate.location,
    ]),
  )

const sayNone = ({ message }: { readonly message: string }) =>
  refuse(
    message === notFound('gate').message ? `${message.slice(0, -1)}; see "callgate gate list".` : message,
  )

const notMeasured =
  'It is not measured how its module takes a call, so an opening is assumed at best: see "callgate gate calibrate".'

const { createGate, deactivateGate, getGate, listGates, updateGate } = gateOperations

const setActive = (isActive: boolean) =>
  atDesk(async ({ call, does }, { gate: gateId = '' }) => {
    const given = { params: { gateId } }
    const done = isActive
      ? await call(updateGate, does.updateGate, { ...given, body: { isActive } })
      : await call(deactivateGate, does.deactivateGate, given)
    if (!done.ok) return sayNone(done)
    const text = isActive ? 'is called again' : 'is never called any more'
    return { ok: true, json: { gateId, isActive }, text: `The gate ${gateId} ${text}.` }
  })

export const gateDeskWork = {
  list: atDesk(async ({ call, does, parts, spaceId }, { active, cursor, limit }) => {
    const isActive = active && (active === 'yes' ? 'true' : 'false')
    const listed = await call(listGates, does.listGates, { query: { isActive, cursor, limit } })
    if (!listed.ok) return listed
    const { pagination } = listed.body
    const gates = await withCalibration(parts.database, spaceId, listed.body.gates)
    const next = pagination?.nextCursor
    return {
      ok: true,
      json: { ...listed.body, gates },
      text: gateLines(gates) + (next ? `\n\nMore: --cursor ${next}` : ''),
    }
  }),

  show: atDesk(async ({ call, does, parts, spaceId }, { gate: gateId = '' }) => {
    const found = await call(getGate, does.getGate, { params: { gateId } })
    if (!found.ok) return sayNone(found)
    const gates = await withCalibration(parts.database, spaceId, [found.body.gate])
    const [gate] = gates
    const { description, externalId, metadata } = found.body.gate
    const said = [
      description,
      sayExternal({ externalId, metadata }),
      gate?.calibration === 'measured' ? null : notMeasured,
    ]
    const text = [gateLines(gates), ...said.filter(one => one !== null)].join('\n\n')
    return { ok: true, json: { gate }, text }
  }),

  add: atDesk(async ({ readBody, call, does }, options) => {
    const body = await readBody(options, fieldsOf(options))
    if (!body.ok) return body
    const made = await call(createGate, does.createGate, { body: body.value })
    if (!made.ok) return made
    const { gate } = made.body
    const text = `The gate ${gate.name} is added: ${gate.id}. Its module has to accept the numbers of the gateways.\n${notMeasured}`
    return { ok: true, json: { gate }, text }
  }),

  update: atDesk(async ({ readBody, call, does, parts, spaceId }, options) => {
    const { gate: gateId = '' } = options
    const given = Object.entries(fieldsOf(options)).map(([field, text]) => [
      field,
      isNullable(field) && text !== null ? orNull(text) : text,
    ])
    const body = await readBody(options, Object.fromEntries(given))
    if (!body.ok) return body
    const changed = await call(updateGate, does.updateGate, { params: { gateId }, body: body.value })
    if (!changed.ok) return sayNone(changed)
    const gates = await withCalibration(parts.database, spaceId, [changed.body.gate])
    return { ok: true, json: { gate: gates[0] }, text: `The gate is saved.\n\n${gateLines(gates)}` }
  }),

  deactivate: setActive(false),
  reactivate: setActive(true),
} satisfies Record<string, CommandWork>
