// The operator's command on set-up messages: what it does and prints.

import { type SetUpSmsView, setUpSmsAppOperations } from '@callgate/contract/app/setUpSms'
import { taskEndsWithinMs } from '@callgate/contract/wire/timing'
import { setUpHandlers } from '../setup/setUpHandlers.ts'
import { type CommandWork, columns, refuse, type Said } from './commandWork.ts'
import { isRefused, operatorIn } from './operator.ts'

type Last = SetUpSmsView['gateways'][number]['last']

function resultOf(last: Last): string {
  if (!last) return '-'
  if (last.state === 'sending') return 'is being sent, or its answer is waited for'
  if (last.state === 'not_done') return `not sent. ${last.says ?? ''}`
  const sent = last.sent === 'yes' ? 'sent' : 'nobody knows whether it was sent'
  if (last.says !== null) return `${sent}. ${last.says}`
  const answer = last.answer ? `answer: ${last.answer.text}` : 'no answer came'
  return `${sent}; ${answer}`
}

function show(gateId: string, view: SetUpSmsView): Said {
  const rows = view.gateways.map(({ callerNumber, canSend, gatewayId, last, name }) => [
    ...[gatewayId, name, callerNumber, canSend ? 'yes' : 'no', last?.brand ?? null, resultOf(last)],
  ])
  const table = columns(['GATEWAY', 'NAME', 'CALLER NUMBER', 'CAN SEND', 'BRAND', 'LAST MESSAGE'], rows)
  const text = `${table}\n${view.leftToday} more within 24 hours.`
  return { ok: true, json: { gateId, ...view }, text }
}

const checkEveryMs = 500

export const setUpWork = {
  async setUpSms(parts, options) {
    const { brand, gate: gateId = '', gateway: gatewayId, place } = options
    if ((brand === undefined) !== (gatewayId === undefined))
      return refuse('Give --gateway together with --brand.')
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const does = setUpHandlers(parts)
    const params = { gateId }
    const read = () => operator.call(setUpSmsAppOperations.getSetUpSms, does.getSetUpSms, { params })
    const before = await read()
    if (!before.ok) return refuse(before.message.replace(/\.$/, '; see "callgate gate list".'))
    if (brand === undefined) return show(gateId, before.body)
    const password = await parts.readSecret('Password of the module (it is not kept): ')
    if (password === undefined)
      return refuse('The two passwords differ, or there was none. Nothing was sent.')
    const body = { gatewayId, brand, password, ...(place !== undefined && { place }) }
    const asked = await operator.call(setUpSmsAppOperations.sendSetUpSms, does.sendSetUpSms, { params, body })
    if (!asked.ok) return asked
    // The serving cloud sends it; without one the task ends when its time is over.
    for (let waitedMs = 0; waitedMs < taskEndsWithinMs.sms; waitedMs += checkEveryMs) {
      const now = await read()
      if (!now.ok) return now
      const last = now.body.gateways.find(one => one.gatewayId === gatewayId)?.last
      if (last?.state !== 'sending') return show(gateId, now.body)
      await new Promise<void>(resolve => parts.world.after(checkEveryMs, resolve))
    }
    return show(gateId, asked.body)
  },
} satisfies Record<string, CommandWork>
