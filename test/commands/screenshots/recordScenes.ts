// The scenes of the history and of the gateways, with a cloud of its own that has a month of records: every opening is a press
// over HTTP on a clock that is set, answered by a scripted gateway, because the simulator would take real time.

import { nowText, type PastOf, press } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

const dayMs = 86_400_000

/**
 * A month of presses, each in the middle of its minute, because a press after a pause of the machine is dated from before the pause: fewer at
 * the end of the week, some without a reaction, and the day of the pictures.
 */
export const month: PastOf = async (made, gates) => {
  const { tenant, world } = made
  const at = async (text: string, gate: keyof typeof gates, end?: 'noReaction' | 'lost') => {
    world.setClock(text)
    // One of its own for each, because the rate limits count real minutes.
    const { key } = await tenant.addKey({ name: end === 'lost' ? 'Booking calendar' : 'Reception desk' })
    await press(made, gates[gate], end ? { key, end } : { key })
  }
  for (let ago = 29; ago >= 2; ago--) {
    const date = new Date(Date.parse(nowText) - ago * dayMs)
    const day = date.toISOString().slice(0, 10)
    const presses = [0, 6].includes(date.getUTCDay()) ? 3 : 7 + (ago % 3)
    for (let count = 0; count < presses; count++)
      await at(`${day}T${String(6 + count).padStart(2, '0')}:1${count % 6}:30.000Z`, 'courtyard')
    if (ago % 4 === 1) await at(`${day}T18:40:30.000Z`, 'delivery', 'noReaction')
    if (ago % 9 === 3) await at(`${day}T19:20:30.000Z`, 'delivery', 'lost')
  }
  for (const hour of ['06', '08', '13', '15', '17', '19', '21', '22'])
    await at(`2026-03-19T${hour}:12:30.000Z`, 'courtyard')
  await at('2026-03-19T20:41:30.000Z', 'delivery', 'noReaction')
  for (const hour of ['05', '06', '07', '08', '09']) await at(`2026-03-20T${hour}:02:30.000Z`, 'courtyard')
  world.setClock('2026-03-20T09:52:30.000Z')
  await press(made, gates.delivery, { end: 'noReaction' })
  await at('2026-03-20T10:10:30.000Z', 'delivery', 'noReaction')
  await at('2026-03-20T11:05:30.000Z', 'delivery', 'lost')
  world.setClock('2026-03-20T12:28:30.000Z')
  await press(made, gates.courtyard)
}

export const recordScenes: readonly Scene[] = [
  { name: 'history', path: 'history' },
  { name: 'history-failed', path: 'history?class=did_not_open,denied,unknown' },
  { name: 'gateways', path: 'gateways?range=24h' },
]
