// Plans presses of a dashboard user who loses the role, the session or the account while an opening runs.

import { type Draw, pick } from './draw.ts'
import { type Plan, userChanges } from './plan.ts'

/** The user presses a gate; in most cases the permission ends before the call, or just after its grant. */
export function userPressesOf(draw: Draw, gates: number): Plan['actions'] {
  const atMs = draw.randomInt(0, 45_000)
  const gate = draw.randomInt(0, gates - 1)
  const press = { kind: 'press', atMs, gate, guest: 'user' } as const
  if (draw.random() < 0.2) return [press]
  const change = pick(draw, userChanges)
  return [press, { kind: 'change', atMs: atMs + draw.randomInt(0, 1_000), change, gate, guest: 0 }]
}
