import { expect, it } from 'vitest'
import { moduleBrands } from './moduleBrands.ts'

it('writes each message as the manual of the module has it', () => {
  expect(moduleBrands.map(({ message, name }) => [name, message('+40740000111')])).toEqual([
    ['ELDES ESIM120, ESIM320', '[password] N:40740000111'],
    ['Jablotron GD-04 DAVID', '[password],ADX,+40740000111'],
    ['King Pigeon RTU5025', '[password]A[place]#0040740000111#'],
    ['RTU5024 (#TEL)', '[password]#TEL0040740000111#[place]#'],
    ['TELL Gate Control 20', 'PWD=[password]#TEL=+40740000111#'],
  ])
})

it('fits into one message, in letters that every phone sends as they are, and names its manual', () => {
  for (const { message, notes, source } of moduleBrands) {
    const text = message('+123456789012345')
    expect(text).toMatch(/^[A-Za-z0-9 #=:,+[\]]{1,70}$/)
    expect(text.includes('[place]')).toBe(notes.includes('place'))
    expect(source).not.toBe('')
  }
})
