import { languages } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capitalized, rangeDash } from '../text/lines.ts'
import { formFor } from '../text/plural.ts'
import { type LetterFacts, writeLetter } from './letter.ts'
import { contentOf } from './letterContent.kit.ts'
import { unlinked } from './message.ts'
import { scheduleLines, scheduleWords } from './scheduleWords.ts'
import { wordings } from './wording.ts'

const timezone = 'Europe/Bucharest'
const link = 'https://gates.example/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F'
const facts: LetterFacts = {
  kind: 'invitation',
  language: 'en',
  spaceName: 'Lake view',
  spaceTimezone: timezone,
  memberName: 'Ana',
  link,
  accesses: [{ gateName: 'Barrier', schedules: [{ type: 'weekdays', timezone }], maxUsage: null }],
}

describe.each(languages)('in %s', language => {
  it.each(['invitation', 'access_granted'] as const)('the %s contains all required parts', kind => {
    const { html, subject, text } = writeLetter({ ...facts, kind, language })
    expect(subject).toContain('Lake view')
    const { locale, weekdays } = wordings[language]
    for (const words of ['Ana', 'Lake view', 'Barrier', link, capitalized(weekdays, locale)]) {
      expect(text).toContain(words)
      expect(html).toContain(words)
    }
    for (const sentence of [wordings[language].secret, wordings[language].trouble])
      expect(text).toContain(sentence)
    expect(text.split(link)).toHaveLength(2)
    expect(contentOf(html)).toEqual(contentOf(text))
    // Mail programs that drop style sheets show the light colours.
    expect(html.replace(/<style>.*<\/style>/s, '')).toMatch(/background:#ffffff.*background:#131a17/s)
    expect(subject + text).not.toMatch(/[{}<>]|undefined/)
    expect(html).toContain(`<html lang="${language}">`)
    // Nothing is loaded from the network, and the only address is the link.
    expect(html).not.toMatch(/<script|<link|url\(/)
    expect(html.match(/<img|src=[^ >]*/g)).toEqual(['<img', 'src="cid:mark@callgate"'])
    expect(html.match(/https?:[^"<]*/g)).toEqual([link, link, link])
  })

  it('has the same placeholders as English, and no English text', () => {
    const blanks = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort()
    for (const [name, words] of Object.entries(wordings[language])) {
      const given = wordings.en[name as keyof typeof wordings.en]
      const english = typeof given === 'string' ? given : given.other
      const sentence = typeof words === 'string' ? words : words.other
      const isShared = ['zone', 'stranger', 'invited', 'accessAdded'].includes(name)
      if (!isShared) expect(blanks(sentence), name).toEqual(blanks(english))
      if (language !== 'en' && name !== 'subject') expect(sentence, name).not.toBe(english)
    }
  })

  it('has a form for every number of gates and openings', () => {
    const { cap, locale, mayOpen } = wordings[language]
    for (const forms of [cap, mayOpen])
      for (const count of [1, 2, 5, 19, 20, 21, 100, 101, 1_000_000]) {
        const words = formFor(forms, count, locale)
        expect(Object.values(forms)).toContain(words)
        // A form without a number says one.
        if (!words.includes('{count}')) expect(count).toBe(1)
      }
  })
})

it.each([
  ['en', 1, 'Ana, you may open 1 gate'],
  ['en', 2, 'Ana, you may open 2\u00a0gates'],
  ['ro', 1, 'Ana, puteți deschide o poartă'],
  ['ro', 2, 'Ana, puteți deschide 2\u00a0porți'],
  ['ro', 20, 'Ana, puteți deschide 20\u00a0de porți'],
  ['de', 2, 'Ana, Sie dürfen 2\u00a0Tore öffnen'],
  ['uk', 5, 'Ana, вам надано доступ до 5\u00a0воріт'],
  ['en', 0, 'Hello Ana'],
] as const)('begins an invitation in %s to %i gates with "%s"', (language, count, headline) => {
  const accesses = new Array(count).fill(facts.accesses[0])
  const { html, text } = writeLetter({ ...facts, language, accesses })
  expect(text.split('\n')[0]).toBe(headline)
  expect(html.match(/<h1[^>]*>([^<]*)</)?.[1]).toBe(headline)
})

it('has the colour of headlines where it says what to do', () => {
  expect(writeLetter(facts).html).toContain(
    `<p class="ink" style="margin:0 0 12px;color:#131a17">${wordings.en.trouble}</p>`,
  )
})

it('tells a member without gates that there are none, and cuts long texts', () => {
  expect(writeLetter({ ...facts, accesses: [] }).text).toContain('No gate is assigned to you yet')
  const accesses = Array.from({ length: 100 }, (_, place) => ({
    gateName: `Gate ${place + 1}.`,
    schedules: Array.from({ length: 20 }, (): Schedule => ({ type: 'weekends', timezone })),
    maxUsage: 3,
  }))
  const { text } = writeLetter({ ...facts, accesses })
  expect(text).toContain('Gate 20.')
  expect(text).not.toContain('Gate 21.')
  expect(text).toContain('Your page shows the rest.')
  expect(text).toContain('\n  3 openings in all')
  expect(text.length).toBeLessThan(10_000)
})

it('previews behind the subject what the subject does not say', () => {
  const previewOf = (html: string) => html.match(/<div style="display:none[^>]*>([^<]*)</)?.[1]
  expect(previewOf(writeLetter(facts).html)).toBe(
    'Ana, you may open 1 gate. This link from Lake view opens a page in the browser of your phone. You need no app. Barrier',
  )
})

it('keeps every name on its line, and lets none become HTML', () => {
  const tags = (html: string) => html.match(/<[^>]*>/g)
  const plain = writeLetter(facts)
  const anyName = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 0x10ffff })).map(points => String.fromCodePoint(...points)),
    fc.constantFrom(
      '</title><script>',
      '" onload="x',
      '{link}',
      '$&$1',
      'a\r\nBcc: b@c.de',
      '\u202egnp',
      "'`&",
    ),
  )
  fc.assert(
    fc.property(anyName, anyName, anyName, (spaceName, memberName, gateName) => {
      const accesses = [{ gateName, schedules: facts.accesses[0]?.schedules ?? [], maxUsage: null }]
      const { html, subject, text } = writeLetter({ ...facts, spaceName, memberName, accesses })
      expect(tags(html)).toEqual(tags(plain.html))
      expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      expect(text.split('\n')).toHaveLength(plain.text.split('\n').length)
    }),
  )
})

/** Texts that mail clients turn into links: an address with or without a scheme, and an e-mail address. */
const linked = /(?:https?:)?\/\/[^\s<"]+|www\.[^\s<]+|[\p{L}\p{N}-]+\.\p{L}{2,}|[^\s@<>]+@[\p{L}\p{N}]/giu

it.each([
  'booking.com',
  'Sun & Sea (sun.example.com/login)',
  'ana@example.com',
  'https://evil.example',
  'www.evil.example',
  'evil。com',
])('makes no link of the name %s, and prints it unchanged', name => {
  const accesses = [{ gateName: name, schedules: facts.accesses[0]?.schedules ?? [], maxUsage: null }]
  const letter = writeLetter({ ...facts, spaceName: name, memberName: name, accesses })
  const plain = writeLetter(facts)
  const ours = (text: string) => text.match(linked) ?? []
  expect(ours(letter.text)).toEqual(ours(plain.text))
  expect(ours(letter.html)).toEqual(ours(plain.html))
  expect(ours(letter.subject)).toEqual([])
  expect(unlinked(name).replaceAll('\u2060', '')).toBe(name)
  expect(letter.text.replaceAll('\u2060', '')).toContain(`- ${name}\n`)
})

describe('a schedule in words', () => {
  const cases: readonly [Schedule, string][] = [
    [{ type: 'always', timezone }, 'at any time'],
    [{ type: 'one-shot', timezone }, 'at any time'],
    [{ type: 'weekends', timezone }, 'Saturday and Sunday'],
    [{ type: 'custom', daysOfWeek: [0, 3, 1], timezone }, 'Monday, Wednesday and Sunday'],
    [{ type: 'custom', daysOfWeek: [0, 1, 2, 3, 4, 5, 6], timezone }, 'every day'],
    [
      { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone },
      `Monday to Friday, 08:00${rangeDash}18:00`,
    ],
    [
      { type: 'custom', daysOfWeek: [5], timeWindows: [{ from: '22:00', to: '06:00' }], timezone },
      `Friday, 22:00${rangeDash}06:00 (next day)`,
    ],
    [
      { type: 'weekends', timeWindows: [{ from: '20:00', to: '23:59' }], timezone },
      `Saturday and Sunday, 20:00${rangeDash}24:00`,
    ],
    [
      { type: 'weekends', timeWindows: [{ from: '20:00', to: '00:00' }], timezone },
      `Saturday and Sunday, 20:00${rangeDash}24:00`,
    ],
    [
      { type: 'always', expiresAt: '2026-12-31T16:00:00Z', timezone },
      'until 31\u00a0December\u00a02026, 18:00',
    ],
    [
      { type: 'one-shot', startsAt: '2026-07-01T08:00', expiresAt: '2026-07-02T08:00:00+05:00', timezone },
      'from 1\u00a0July\u00a02026, 08:00, until 2\u00a0July\u00a02026, 06:00',
    ],
    [
      { type: 'one-shot', startsAt: '2026-07-01T08:00', expiresAt: '2026-07-01T12:00:00+03:00', timezone },
      `1\u00a0July\u00a02026, 08:00${rangeDash}12:00`,
    ],
    [
      // One day in Bucharest, two in UTC.
      { type: 'weekends', startsAt: '2026-07-03T22:00:00Z', expiresAt: '2026-07-04T10:00:00Z', timezone },
      `4\u00a0July\u00a02026, 01:00${rangeDash}13:00\u00a0· Saturday and Sunday`,
    ],
    [
      { type: 'always', startsAt: '2026-07-01T08:00', timezone: 'Europe/London' },
      'from 1\u00a0July\u00a02026, 08:00 (time in Europe/London)',
    ],
    [{ type: 'weekdays', timezone: 'Europe/London' }, 'Monday to Friday'],
    [
      {
        type: 'custom',
        daysOfWeek: [5],
        timeWindows: [{ from: '22:00', to: '06:00' }],
        expiresAt: '2026-12-31T16:00:00Z',
        timezone,
      },
      `until 31\u00a0December\u00a02026, 18:00\u00a0· Friday, 22:00${rangeDash}06:00 (next day)`,
    ],
  ]
  it.each(cases)('%j', (schedule, words) => {
    expect(scheduleWords(schedule, wordings.en, timezone)).toBe(words)
  })

  it('says limits on a line of their own, below the hours that they limit', () => {
    const nights = { type: 'custom' as const, daysOfWeek: [5], timeWindows: [{ from: '22:00', to: '06:00' }] }
    const lines = (schedule: Schedule) => scheduleLines(schedule, wordings.en, 'Europe/Bucharest')
    const expiresAt = '2026-12-31T16:00:00Z'
    const night = `Friday, 22:00${rangeDash}06:00 (next day)`
    expect(lines({ ...nights, timezone })).toEqual([night])
    expect(lines({ ...nights, expiresAt, timezone })).toEqual([
      night,
      '\u2003until 31\u00a0December\u00a02026, 18:00',
    ])
    expect(lines({ type: 'always', expiresAt, timezone })).toEqual([
      'until 31\u00a0December\u00a02026, 18:00',
    ])
    expect(lines({ ...nights, timezone: 'Europe/London' })).toEqual([`${night} (time in Europe/London)`])
  })

  it.each(languages)('says the day of two limits once in %s', language => {
    const limits = { startsAt: '2026-07-01T08:00', expiresAt: '2026-07-01T12:00' } as const
    const words = scheduleWords({ type: 'one-shot', ...limits, timezone }, wordings[language], timezone)
    expect(words.match(/2026/g)).toHaveLength(1)
    expect(words).toMatch(/, 08:00–\u206012:00$/)
  })

  it('has the days in every language', () => {
    const schedule: Schedule = { type: 'custom', daysOfWeek: [1, 3, 5], timezone }
    const days = languages.map(language => scheduleWords(schedule, wordings[language], timezone))
    expect(days).toEqual([
      'Monday, Wednesday and Friday',
      'luni, miercuri și vineri',
      'hétfő, szerda és péntek',
      'Montag, Mittwoch und Freitag',
      'lundi, mercredi et vendredi',
      'lunedì, mercoledì e venerdì',
      'lunes, miércoles y viernes',
      'понеділок, середа і пʼятниця',
    ])
  })
})
