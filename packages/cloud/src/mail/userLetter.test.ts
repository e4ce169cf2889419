import { languages } from '@callgate/contract/language'
import { describe, expect, it } from 'vitest'
import { contentOf } from './letterContent.kit.ts'
import { securityMailKinds } from './outbox.ts'
import { securityWordings } from './securityWording.ts'
import { type UserLetterFacts, writeUserLetter } from './userLetter.ts'
import { userWordings } from './userWording.ts'

const link = 'https://gates.example/invitation#4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F4yN3mS1mGrx'
const changedAtMs = Date.parse('2026-11-22T15:51:30.000Z')
const person = { memberName: 'Ana', link } as const

describe.each(languages)('in %s', language => {
  const letters: readonly UserLetterFacts[] = [
    { ...person, language, kind: 'user_invitation', spaceName: 'Lake view', invitedBy: 'Olga' },
    { ...person, language, kind: 'password_reset' },
    ...securityMailKinds.map(kind => ({ ...person, language, kind, changedAtMs, timezone: 'UTC' })),
  ]

  it.each(letters)('the $kind contains all required parts', facts => {
    const { html, subject, text } = writeUserLetter(facts)
    const named = facts.kind === 'user_invitation' ? ['Ana', 'Lake view', 'Olga'] : ['Ana', 'Callgate']
    for (const words of [...named, link]) for (const body of [text, html]) expect(body).toContain(words)
    expect(text.split(link)).toHaveLength(2)
    expect(contentOf(html)).toEqual(contentOf(text))
    expect(subject + text).not.toMatch(/[{}<>]|undefined/)
    // Nothing is loaded from the network, and the only address is the link.
    expect(html).not.toMatch(/<script|<link|url\(/)
    expect(html.match(/<img|src=[^ >]*/g)).toEqual(['<img', 'src="cid:mark@callgate"'])
    expect(html.match(/https?:[^"<]*/g)).toEqual([link, link, link])
  })

  it('describes each change in its own words, with its time', () => {
    const texts = securityMailKinds.map(
      kind => writeUserLetter({ ...person, language, kind, changedAtMs, timezone: 'UTC' }).text,
    )
    expect(new Set(texts).size).toBe(securityMailKinds.length)
    for (const text of texts) expect(text).toMatch(/2026.*15:51\.[\s\S]*UTC\.\n$/)
    const kind = 'password_changed'
    const timezone = 'Europe/Bucharest'
    const there = writeUserLetter({ ...person, language, kind, changedAtMs, timezone }).text
    expect(there).toMatch(/2026.*17:51\.[\s\S]*(europ|európ|європ)[^\n]*\.\n$/i)
  })

  it('has the same placeholders as English, and no English text', () => {
    const blanks = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort()
    const sentencesOf = (of: typeof language) => {
      const { changed, ...security } = securityWordings[of]
      const named = Object.entries(security).map(([name, text]) => [`security ${name}`, text] as const)
      const changes = Object.entries(changed).flatMap(([kind, [headline, more = headline]]) => [
        [kind, headline] as const,
        [`${kind}, more`, more] as const,
      ])
      return { ...userWordings[of], ...Object.fromEntries([...changes, ...named]) }
    }
    const inEnglish: Readonly<Record<string, string>> = sentencesOf('en')
    for (const [name, sentence] of Object.entries(sentencesOf(language))) {
      const english = inEnglish[name] ?? ''
      expect(blanks(sentence), name).toEqual(blanks(english))
      if (language !== 'en') expect(sentence, name).not.toBe(english)
    }
  })
})

it('greets above the headline, where nothing has to follow a greeting', () => {
  const invitation = { kind: 'user_invitation', spaceName: 'Lake view', invitedBy: 'Olga' } as const
  const { text } = writeUserLetter({ ...person, ...invitation, language: 'en' })
  expect(text.split('\n\n').slice(0, 3)).toEqual([
    'Hello Ana,',
    'Olga invites you to manage the gates of Lake view',
    'You do that in the Callgate dashboard.',
  ])
})

it('keeps a name on one line, escapes it, and makes no link of it', () => {
  const facts = { ...person, language: 'en', kind: 'user_invitation' } as const
  const odd = { memberName: '<b>A\r\nBcc: x@y.z</b>', spaceName: 'evil.example', invitedBy: '<i>' }
  const { html, subject, text } = writeUserLetter({ ...facts, ...odd })
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toMatch(/<b>|<i>/)
  for (const written of [html, subject, text]) expect(written).not.toContain('evil.example')
})
