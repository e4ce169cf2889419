import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type ModuleBrandId,
  messageToComplete,
  moduleBrandIds,
  moduleBrands,
  setUpMessage,
  shownModuleAnswer,
} from './setUpMessage.ts'

it('writes each message as in the manual of the module', () => {
  expect(moduleBrandIds.map(id => [moduleBrands[id].name, messageToComplete(id, '+40740000111')])).toEqual([
    ['ELDES ESIM120, ESIM320', '[password] N:40740000111'],
    ['Jablotron GD-04 DAVID', '[password],ADX,+40740000111'],
    ['King Pigeon RTU5025', '[password]A[place]#0040740000111#'],
    ['RTU5024 (#TEL)', '[password]#TEL0040740000111#[place]#'],
    ['TELL Gate Control 20', 'PWD=[password]#TEL=+40740000111#'],
  ])
})

it('is completed by what is typed, and delivered modules have passwords of their form', () => {
  const given = { password: '1234', place: '' }
  expect(messageToComplete('rtu5024', '+40740000111', given)).toBe('1234#TEL0040740000111#[place]#')
  for (const id of moduleBrandIds) {
    const { asDelivered, password } = moduleBrands[id]
    if (asDelivered !== null) expect(asDelivered).toMatch(password)
  }
})

it('fits into one message of plain letters that every phone sends unchanged, and names its manual', () => {
  for (const id of moduleBrandIds) {
    const { notes, source } = moduleBrands[id]
    const text = messageToComplete(id, '+123456789012345')
    expect(text).toMatch(/^[A-Za-z0-9 #=:,+[\]]{1,70}$/)
    expect(text.includes('[place]')).toBe(notes.some(note => note === 'place'))
    expect(source).not.toBe('')
  }
})

const callerNumber = '+40740000111'
const send = (id: ModuleBrandId, password: string, place: string | null = null) =>
  setUpMessage(id, callerNumber, { password, place })

it('is composed of valid values only', () => {
  expect(send('rtu5024', '1234', '007')).toBe('1234#TEL0040740000111#007#')
  expect(send('jablotron_gd04', 'PC')).toBe('PC,ADX,+40740000111')
  expect(send('eldes_esim120', '0000')).toBe('0000 N:40740000111')
  expect(send('rtu5024', '1234')).toBeUndefined()
  expect(send('rtu5024', '12345', '007')).toBeUndefined()
  expect(send('tell_gate_control_20', '1234', '007')).toBeUndefined()
  for (const password of ['', '12 34', '1234#', 'PC,ARX', '１２３４', '1234\n', '1234\x1a'])
    for (const id of moduleBrandIds) expect(send(id, password, '001') ?? send(id, password)).toBeUndefined()
  expect(setUpMessage('rtu5024', '0740000111', { password: '1234', place: '001' })).toBeUndefined()
})

it('contains nothing outside the template, for any values', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...moduleBrandIds),
      fc.string(),
      fc.option(fc.string()),
      (id, password, place) => {
        const text = setUpMessage(id, callerNumber, { password, place })
        return text === undefined || /^[A-Za-z0-9 #=:,+]{1,70}$/.test(text)
      },
    ),
  )
})

it('shows an answer without the password, and only the last three digits of numbers', () => {
  expect(shownModuleAnswer('1234#TEL0040740000111#007# OK', '1234')).toBe('****#TEL*****111#007# OK')
  expect(shownModuleAnswer('007:+40740000111 added', 'martin27')).toBe('007:*****111 added')
  expect(shownModuleAnswer('Code Martin27 is wrong', 'martin27')).toBe('Code **** is wrong')
  expect(shownModuleAnswer('Password changed to 5678.')).toBe('Password changed to ****.')
  const grouped = '007:+40 740 000 111 ok 0740-000-222, (0740) 000.333'
  expect(shownModuleAnswer(grouped)).toBe('007:*****111 ok *****222, (*****333')
  expect(shownModuleAnswer('PROGRAM OK', 'OK')).toBe('PROGRAM ****')
  expect(shownModuleAnswer('PROGRAM OK')).toBe('PROGRAM OK')
})

it('shows only the last three digits of a number in any grouping', () => {
  const between = fc.constantFrom('', ' ', '.', '-', ' - ', '/', '\u00a0', '\t', ') ')
  const digit = fc.constantFrom(...'0123456789')
  const number = fc.array(fc.tuple(digit, between), { minLength: 9, maxLength: 15 })
  fc.assert(
    fc.property(number, parts => {
      const digits = parts.map(([one]) => one).join('')
      const shown = shownModuleAnswer(`Added +${parts.flat().join('')} ok`)
      expect(shown.replaceAll(/\D/g, '')).toBe(digits.slice(-3))
    }),
  )
})

it.each([
  ['00000 ok', '0000', '**** ok'],
  ['1111111', '1111', '****'],
  ['a1A1a1 ok', 'a1a1', '**** ok'],
  ['pw 0-0, 0 0', '00', 'pw ****, ****'],
  ['+40740111000 added', '000', '***** added'],
  ['0000#TEL0040740000111#000#', '0000', '****#TEL*****111#000#'],
  ['+40700000123', '0000', '*****123'],
  ['STOP CALL', 'PC', 'STOP CALL'],
])('shows %j with the password %j as %j', (text, password, shown) => {
  expect(shownModuleAnswer(text, password)).toBe(shown)
})

it('shows no part of a password of one repeated digit, in any groups', () => {
  const between = fc.constantFrom('', ' ', '-', '.')
  const row = fc.tuple(
    fc.constantFrom('0', '1', '9'),
    fc.integer({ min: 2, max: 8 }),
    fc.array(between, { maxLength: 20 }),
  )
  fc.assert(
    fc.property(row, ([digit, length, gaps]) => {
      const password = digit.repeat(length)
      const said = `${digit}${gaps.map(gap => gap + digit).join('')}`
      const isIn = said.replaceAll(/\D/g, '').length >= length
      const shown = shownModuleAnswer(`The code ${said} is wrong`, password)
      if (isIn) expect(shown).toMatch(/^The code \*{4,5} is wrong$/)
    }),
  )
})

it('masks each message of an answer separately', () => {
  expect(shownModuleAnswer('007:0040740000111 | 007:0040740000111')).toBe('007:*****111 | 007:*****111')
})
