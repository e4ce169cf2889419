import { expect, it } from 'vitest'
import { voiceCallsIn } from './lines.ts'

it('lists the voice calls of a list, and neither data nor what is none of its lines', () => {
  const lines = ['+CLCC: 1,0,3,0,0', '+CLCC: 2,0,0,1,0', '+CLCC: one', '']
  expect(voiceCallsIn(lines)).toEqual([{ id: 1, outgoing: true, state: 3, voice: true }])
})
