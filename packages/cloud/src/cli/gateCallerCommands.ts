// The operator's command on the gateways of a gate: what it does and prints.

import { gateCallersAppOperations } from '@callgate/contract/app/appGateCallers'
import { gateCallerHandlers } from '../gate/gateCallerHandlers.ts'
import { type CommandWork, columns, refuse } from './commandWork.ts'
import { isRefused, operatorIn } from './operator.ts'

const seeLists = '; see "callgate gate list" and "callgate gateway list".'

export const gateCallerWork = {
  async gateways(parts, options) {
    const { gate: gateId = '', gateway: gatewayId, mayCall, numberKnown } = options
    const hasChange = mayCall !== undefined || numberKnown !== undefined
    if (hasChange !== (gatewayId !== undefined))
      return refuse('Give --gateway together with --may-call, --number-known or both.')
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    // Only the serving cloud knows which gateways are online, and which of them failed lately.
    const seen = { online: async () => [], failedAt: () => undefined }
    const does = gateCallerHandlers({ ...parts, seen })
    const { getGateCallers, updateGateCallers } = gateCallersAppOperations
    const change = {
      gatewayId,
      ...(mayCall !== undefined && { mayCall: mayCall === 'yes' }),
      ...(numberKnown !== undefined && { numberKnown }),
    }
    const params = { gateId }
    const done = hasChange
      ? await operator.call(updateGateCallers, does.updateGateCallers, { params, body: change })
      : await operator.call(getGateCallers, does.getGateCallers, { params })
    if (!done.ok) return refuse(done.message.replace(/ with this id\.$/, ` with this id${seeLists}`))
    const gateways = done.body.callers.map(({ now: _, ...caller }) => caller)
    const rows = gateways.map(caller => [
      caller.gatewayId,
      caller.name,
      caller.callerNumber,
      caller.mayCall ? 'yes' : 'no',
      caller.numberKnown,
    ])
    const text = columns(['GATEWAY', 'NAME', 'CALLER NUMBER', 'MAY CALL', 'NUMBER KNOWN'], rows)
    return { ok: true, json: { gateId, gateways }, text }
  },
} satisfies Record<string, CommandWork>
