// What the three mail programs of the pictures make of a mail.

import { writeUserLetter } from '@callgate/cloud/mail/userLetter'
import { expect, it } from 'vitest'
import { seenIn } from './mailPrograms.ts'

const { html } = writeUserLetter({
  kind: 'password_reset',
  language: 'en',
  memberName: 'Ana',
  link: 'https://gates.example/password-reset#abc',
})

it('shows the picture of the message, and no other source', () => {
  for (const program of ['apple', 'gmail', 'outlook'] as const)
    expect(seenIn(program, html).match(/src="[^,"]*/g)).toEqual(['src="data:image/png;base64'])
})

it('keeps the style sheet for Apple Mail alone', () => {
  expect(seenIn('apple', html)).toContain('prefers-color-scheme: dark')
  expect(seenIn('gmail', html)).not.toContain('<style>')
  expect(seenIn('outlook', html)).not.toContain('<style>')
})

it('gives Outlook the width of its own table and padding in cells, without round corners', () => {
  const shown = seenIn('outlook', html)
  expect(shown).not.toMatch(/border-radius|max-width|<!--|<a [^>]*padding/)
  expect(shown).toContain('width="560"')
  expect(shown).toMatch(/<td class="press"[^>]*padding:15px 28px/)
})
