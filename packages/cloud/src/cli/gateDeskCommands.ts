// What the operator's commands on gates do that an admin can do as well, and what they print.

import { type Gate, gateOperations } from '@callgate/contract/rest/gate'
import { gateHandlers } from '../gate/gates.ts'
import { bodyOf, isRefused, type Operator, operatorIn, orNull } from './operator.ts'
import { columns, type Options, refuse, type Said, type Work } from './works.ts'

interface Desk extends Operator {
  readonly does: ReturnType<typeof gateHandlers>
}

const atDesk =
  (work: (desk: Desk, options: Options) => Promise<Said>): Work =>
  async (parts, options) => {
    const operator = await operatorIn(parts, options)
    return isRefused(operator) ? operator : work({ ...operator, does: gateHandlers(parts) }, options)
  }

const gateLines = (gates: readonly Gate[]) =>
  columns(
    ['GATE', 'NAME', 'NUMBER', 'STATE', 'OPENINGS', 'LAST OPENED', 'LOCATION'],
    gates.map(gate => [
      ...[gate.id, gate.name, gate.phoneNumber],
      gate.isActive ? 'active' : 'not active',
      String(gate.openCount),
      gate.lastOpenedAt,
      gate.location,
    ]),
  )

const sayNone = ({ message }: { readonly message: string }) =>
  refuse(
    message === 'There is no gate with this id.'
      ? `${message.slice(0, -1)}; see "callgate gate list".`
      : message,
  )

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
  list: atDesk(async ({ call, does }, { active, cursor, limit }) => {
    const isActive = active && (active === 'yes' ? 'true' : 'false')
    const listed = await call(listGates, does.listGates, { query: { isActive, cursor, limit } })
    if (!listed.ok) return listed
    const { gates, pagination } = listed.body
    const next = pagination?.nextCursor
    return {
      ok: true,
      json: listed.body,
      text: gateLines(gates) + (next ? `\n\nMore: --cursor ${next}` : ''),
    }
  }),

  show: atDesk(async ({ call, does }, { gate: gateId = '' }) => {
    const found = await call(getGate, does.getGate, { params: { gateId } })
    if (!found.ok) return sayNone(found)
    const { gate } = found.body
    const text = gateLines([gate]) + (gate.description === null ? '' : `\n\n${gate.description}`)
    return { ok: true, json: { gate }, text }
  }),

  add: atDesk(async ({ call, does }, options) => {
    const { description, location, name, phone: phoneNumber } = options
    const body = await bodyOf(options, { name, phoneNumber, location, description })
    if (!body.ok) return body
    const made = await call(createGate, does.createGate, { body: body.value })
    if (!made.ok) return made
    const { gate } = made.body
    const text = `The gate ${gate.name} is added: ${gate.id}. Its module has to accept the numbers of the gateways.`
    return { ok: true, json: { gate }, text }
  }),

  update: atDesk(async ({ call, does }, options) => {
    const { description, gate: gateId = '', location, name, phone: phoneNumber } = options
    const fields = { name, phoneNumber, location, description: orNull(description) }
    const body = await bodyOf(options, fields)
    if (!body.ok) return body
    const changed = await call(updateGate, does.updateGate, { params: { gateId }, body: body.value })
    if (!changed.ok) return sayNone(changed)
    const { gate } = changed.body
    return { ok: true, json: { gate }, text: `The gate is saved.\n\n${gateLines([gate])}` }
  }),

  deactivate: setActive(false),
  reactivate: setActive(true),
} satisfies Record<string, Work>
