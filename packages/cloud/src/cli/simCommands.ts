// The operator's command on the SIM card of a gateway: what it does and prints.

import { type Money, type SimView, type SimWarning, simAppOperations } from '@callgate/contract/app/sim'
import { hundredthsOf } from '@callgate/contract/app/typedAmount'
import { taskEndsWithinMs } from '@callgate/contract/wire/timing'
import { simHandlers } from '../sim/simHandlers.ts'
import { type CommandParts, type CommandWork, type Options, refuse, type Said } from './commandWork.ts'
import { isRefused, type Operator, operatorIn, orNull } from './operator.ts'

const says: Readonly<Record<SimWarning, string>> = {
  credit_low: 'Less is left than what you warn below.',
  expires_soon: 'The card ends within two weeks.',
  expired: 'The card has ended.',
}

const amount = (hundredths: number) => (hundredths / 100).toFixed(2)
const money = (value: Money | null) => (value ? `${amount(value.hundredths)} ${value.currency}` : '-')

function textOf({ code, expiresOn, now, warnBelow }: SimView): string {
  const { answer, asked, spent, warnings } = now
  const rows: readonly (readonly [string, string])[] = [
    ['code', code ?? '-'],
    ['warn below', warnBelow === null ? '-' : amount(warnBelow)],
    ['ends on', expiresOn ?? '-'],
    ['balance', money(answer?.balance ?? null)],
    ['answered', answer ? `${answer.at}: ${answer.text}` : '-'],
    ['spent in 30 days', money(spent)],
    [
      'asked last',
      asked
        ? `${asked.at}, ${asked.says ?? { asking: 'no answer yet', done: 'answered', not_done: 'not done' }[asked.state]}`
        : '-',
    ],
    ...warnings.map(word => ['warning', says[word]] as const),
  ]
  return rows.map(([name, value]) => `${name.padEnd(16)}  ${value}`).join('\n')
}

/** The changes of the options; a message for a person where one is wrong. */
function settingsIn({ code, expiresOn, warnBelow }: Options): string | object {
  const below = warnBelow === undefined || warnBelow === '' ? undefined : hundredthsOf(warnBelow)
  if (warnBelow && below === undefined) return '--warn-below must be an amount such as 5 or 5.50.'
  return {
    ...(code !== undefined && { code: orNull(code) }),
    ...(warnBelow !== undefined && { warnBelow: below ?? null }),
    ...(expiresOn !== undefined && { expiresOn: orNull(expiresOn) }),
  }
}

const checkEveryMs = 500

/** Waits until the task has ended. The serving cloud asks the network; without one the task ends when its time is over. */
async function awaited({ world }: CommandParts, read: () => ReturnType<Operator['call']>): Promise<void> {
  for (let waitedMs = 0; waitedMs < taskEndsWithinMs.ussd; waitedMs += checkEveryMs) {
    await new Promise<void>(resolve => world.after(checkEveryMs, resolve))
    const done = await read()
    const { sim } = (done.ok ? done.body : {}) as { readonly sim?: SimView }
    if (sim?.now.asked?.state !== 'asking') return
  }
}

export const simWork = {
  async sim(parts, options): Promise<Said> {
    const changes = settingsIn(options)
    if (typeof changes === 'string') return refuse(changes)
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const does = simHandlers(parts)
    const { askSim, getSim, updateSim } = simAppOperations
    const params = { gatewayId: options['gateway'] ?? '' }
    const read = () => operator.call(getSim, does.getSim, { params })
    if (Object.keys(changes).length > 0) {
      const changed = await operator.call(updateSim, does.updateSim, { params, body: changes })
      if (!changed.ok) return refuse(changed.message)
    }
    if (options['ask']) {
      const asked = await operator.call(askSim, does.askSim, { params })
      if (!asked.ok) return refuse(asked.message)
      await awaited(parts, read)
    }
    const done = await read()
    if (!done.ok) return refuse(done.message.replace(/\.$/, '; see "callgate gateway list".'))
    return {
      ok: true,
      json: { gatewayId: params.gatewayId, sim: done.body.sim },
      text: textOf(done.body.sim),
    }
  },
} satisfies Record<string, CommandWork>
