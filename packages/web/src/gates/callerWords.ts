// Whether a gateway of a gate would call now, or why not: a sentence, and the same in a word or two.

import type { Success } from '../client/client.ts'
import type { Words } from '../words/words.tsx'

export type CallingGateway = Success<'getGateCallers'>['body']['callers'][number]
type Known = Pick<CallingGateway, 'mayCall' | 'now' | 'numberKnown'>

/** Why the gateway has no turn. `noTurn`: it is online, and no more is known. Undefined: it has one. */
function whyNot({
  mayCall,
  now,
  numberKnown,
}: Known): 'mayNot' | 'notKnown' | 'offline' | 'noTurn' | undefined {
  if (!mayCall) return 'mayNot'
  if (numberKnown === 'no') return 'notKnown'
  if (now.turn !== null) return undefined
  return now.isOnline ? 'noTurn' : 'offline'
}

export function sayTurn(caller: Known, { gate: { callers: says } }: Words): string {
  const why = whyNot(caller)
  if (why) return says[why]
  const turn = says.turn(caller.now.turn ?? 1)
  return caller.now.hasFailed ? `${turn}. ${says.failed}` : turn
}

export function sayShortTurn(caller: Known, { gate }: Words): string {
  const says = gate.callers.short
  const why = whyNot(caller)
  if (why) return says[why]
  return caller.now.hasFailed ? says.failed : says.turn(caller.now.turn ?? 1)
}
