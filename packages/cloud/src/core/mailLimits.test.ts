import { expect, it } from 'vitest'
import {
  fullLimit,
  heldBack,
  inboxOf,
  mailLimits,
  mailRefusal,
  maskedAddress,
  spaceLimit,
} from './mailLimits.ts'

const day = mailLimits.windowMs

it.each([
  ['Ana@Example.com', 'ana@example.com'],
  ['ana+gate1@example.com', 'ana@example.com'],
  ['+@example.com', '+@example.com'],
  ['a.n.a+b@googlemail.com', 'ana@gmail.com'],
  ['a.n.a@example.com', 'a.n.a@example.com'],
])('%s leads to the inbox %s', (address, inbox) => expect(inboxOf(address)).toBe(inbox))

it('allow the largest plan to invite a whole month of members in one day, and to mail each once more', () => {
  expect(spaceLimit(2_000)).toBe(4_000)
  expect(spaceLimit(0)).toBe(100)
})

it('name the limit that is free last, and when', () => {
  const one = { name: 'mails_to_address', most: 20, fullSinceMs: 1_500 } as const
  const two = { name: 'mails_of_space', most: 100, fullSinceMs: 500 } as const
  expect(fullLimit([], day)).toBeUndefined()
  expect(fullLimit([{ ...one, fullSinceMs: undefined }], day)).toBeUndefined()
  expect(fullLimit([one], day + 1_500)).toBeUndefined()
  const full = fullLimit([two, one], day + 400)
  expect(full).toEqual({ name: 'mails_to_address', most: 20, freeMs: day + 1_500 })
  if (!full) return
  expect(mailRefusal(full, day + 400)).toMatchObject({
    problem: 'rate_limited',
    headers: { 'Retry-After': '2' },
    message:
      'At most 20 mails of a Space may go to one address in any 24 hours. Another is taken in 2 s, at 1970-01-02T00:00:01.500Z; nothing was done.',
    refusals: [{ name: 'mails_to_address', values: { most: 20, waitS: 2 } }],
  })
  expect(heldBack(full)).toBe('held back: at most 20 mails of a Space may go to one address in any 24 hours')
})

it.each([
  ['ana@example.com', 'a***@example.com'],
  ['😀na@example.com', '😀***@example.com'],
])('mask %s', (address, masked) => expect(maskedAddress(address)).toBe(masked))
