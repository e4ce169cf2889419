import { expect, it } from 'vitest'
import { type Listening, type ListeningBrand, obeyed } from './listening.ts'

const from = '+40711111111'
const rows: readonly (readonly [
  brand: ListeningBrand,
  password: string,
  text: string,
  reply: string | null,
])[] = [
  ['jablotron_gd04', 'PC', 'pc,ADX,+40711111111', 'PROGRAM OK'],
  ['king_pigeon_rtu5025', '1234', '1234A007#0040711111111#', 'Set Success! 007:0040711111111'],
  ['rtu5024', '1234', '1234#TEL0040711111111#007#', '007:0040711111111'],
  ['tell_gate_control_20', '1111', 'PWD=1111#TEL=+40711111111#', '1 user(s) added'],
]
it.each(rows)('%s admits a number', (brand, password, text, reply) => {
  expect(obeyed({ brand, password }, from, text)).toEqual({ letIn: from, reply })
  expect(obeyed({ brand, password: '9999' }, from, text)).toEqual({
    reply: brand === 'tell_gate_control_20' ? 'Wrong password' : null,
  })
  expect(obeyed({ brand, password }, from, `${text} `)).toBeUndefined()
  expect(obeyed({ brand, password, answers: 'never' }, from, text)).toEqual({ letIn: from, reply: null })
})

it('an ELDES accepts messages of its administrators alone', () => {
  const eldes: Listening = { brand: 'eldes_esim120', password: '0000', admins: [from] }
  expect(obeyed(eldes, from, '0000 N:40711111111')).toEqual({ letIn: from, reply: null })
  expect(obeyed(eldes, '+40722000009', '0000 N:40711111111')).toBeUndefined()
})
