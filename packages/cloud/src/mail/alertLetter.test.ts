import { incidentKinds } from '@callgate/contract/app/incidentKinds'
import { languages } from '@callgate/contract/language'
import { describe, expect, it } from 'vitest'
import { type AlertLetterFacts, writeAlertLetter } from './alertLetter.ts'
import { alertWordings } from './alertWording.ts'
import { contentOf } from './letterContent.kit.ts'

const link = 'https://gates.example/spaces/space_1/gateways/gw_1'
const seenMs = Date.parse('2026-11-22T15:51:30.000Z')
const closedMs = Date.parse('2026-11-22T18:05:00.000Z')
const person = {
  kind: 'alert',
  memberName: 'Ana',
  spaceName: 'Lake view',
  timezone: 'Europe/Bucharest',
  link,
} as const

const factsOf = (
  language: AlertLetterFacts['language'],
  incidents: AlertLetterFacts['incidents'],
  isDigest = false,
): AlertLetterFacts => ({ ...person, language, incidents, isDigest })

const goesOn = (kind: (typeof incidentKinds)[number], name = 'Attic') => ({
  kind,
  name,
  seenMs,
  closedMs: undefined,
})

describe.each(languages)('in %s', language => {
  it.each(incidentKinds)('describes %s: what, since when, what to check, and the link', kind => {
    const { html, subject, text } = writeAlertLetter(factsOf(language, [goesOn(kind)]))
    const { begun, check, means } = alertWordings[language].kinds[kind]
    for (const said of ['Ana', means, check, link]) expect(text).toContain(said)
    if (begun.includes('{name}')) expect(subject).toContain('Attic')
    expect(subject).toContain('Lake view')
    // On the wall clock of the Space, whose zone the foot names.
    expect(text).toMatch(/2026.*17:51/)
    expect(text).toMatch(/europ|európ|європ/i)
    expect(text).not.toMatch(/EET|OEZ|UTC|GMT/)
    expect(contentOf(html)).toEqual(contentOf(text))
    expect(subject + text).not.toMatch(/[{}<>]|undefined/)
    expect(html.match(/https?:[^"<]*/g)).toEqual([link, link, link])
  })

  it('describes the end without advice, and several incidents in one list', () => {
    const over = { ...goesOn('gateway_offline'), closedMs }
    const one = writeAlertLetter(factsOf(language, [over])).text
    expect(one).toMatch(/, 17:51–\u206020:05\./)
    expect(one.match(/2026/g)).toHaveLength(1)
    expect(one).not.toContain(alertWordings[language].kinds.gateway_offline.check)
    const many = new Array(25).fill(over).map((incident, place) => ({ ...incident, name: `Box ${place}` }))
    const { html, subject, text } = writeAlertLetter(factsOf(language, many, true))
    expect(subject).toContain('25')
    expect(text).toContain('Box 19')
    expect(text).not.toContain('Box 20')
    expect(text).toContain(alertWordings[language].more)
    expect(contentOf(html)).toEqual(contentOf(text))
    expect(subject + text).not.toMatch(/[{}<>]|undefined/)
  })

  it('has the same placeholders as English, and no English text', () => {
    const blanks = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort()
    const sentencesOf = (of: typeof language) => {
      const { areOver, goOn, kinds, ...rest } = alertWordings[of]
      return [
        areOver.other,
        goOn.other,
        ...Object.values(rest),
        ...incidentKinds.flatMap(kind => Object.values(kinds[kind])),
      ]
    }
    const english = sentencesOf('en')
    sentencesOf(language).forEach((sentence, place) => {
      expect(blanks(sentence), sentence).toEqual(blanks(english[place] ?? ''))
      if (language !== 'en' && /[a-z]{4}/.test(sentence.replaceAll(/\{\w+\}/g, '')))
        expect(sentence).not.toBe(english[place])
    })
  })
})

it('has an edge in the colour of each incident: that of a failed call, of a warning, or of one that is over', () => {
  const edgesOf = (...incidents: AlertLetterFacts['incidents']) => {
    const { html } = writeAlertLetter(factsOf('en', incidents, incidents.length > 1))
    return [...html.matchAll(/class="ink2 (\w+)" style="[^"]*border-left/g)].map(([, tone]) => tone)
  }
  const over = { ...goesOn('gate_not_reacting'), closedMs }
  expect(edgesOf(goesOn('gateway_offline'))).toEqual(['shut'])
  expect(edgesOf(over, goesOn('signal_low'), goesOn('gate_not_reacting'))).toEqual(['look', 'shut', 'open'])
})

it.each([
  ['en', 1, '1 problem needs a look'],
  ['en', 2, '2 problems need a look'],
  ['en', 0, '3 problems are over'],
  ['ro', 20, '20 de probleme cer atenția dumneavoastră'],
  ['uk', 5, '5 несправностей потребують уваги'],
] as const)(
  'begins a digest in %s, of which %i go on, with "%s", and what goes on',
  (language, count, headline) => {
    const over = { ...goesOn('gateway_offline', 'Over'), closedMs }
    const open = new Array(count).fill(goesOn('gateway_offline', 'Open'))
    const { subject, text } = writeAlertLetter(factsOf(language, [over, ...open, over, over], true))
    const [, first, rows = ''] = text.split('\n\n')
    expect(first).toBe(headline)
    expect(subject).toBe(`Lake view: ${headline}`)
    expect(rows).toMatch(count > 0 ? /^- .*Open/ : /^- .*Over/)
    const checks = rows.split(alertWordings[language].kinds.gateway_offline.check).length - 1
    expect(checks).toBe(Math.min(count, 1))
  },
)

it.each([
  [
    'of two days',
    '2026-11-23T18:05:00Z',
    '22\u00a0November\u00a02026 at\u00a017:51 – 23\u00a0November\u00a02026 at\u00a020:05.',
  ],
  [
    'of one day in UTC and two in the Space',
    '2026-11-22T22:05:00Z',
    '22\u00a0November\u00a02026 at\u00a017:51 – 23\u00a0November',
  ],
])('says both days of a problem %s', (_, closed, words) => {
  const incident = { ...goesOn('gateway_offline'), closedMs: Date.parse(closed) }
  expect(writeAlertLetter(factsOf('en', [incident])).text).toContain(words)
})

it('names both clocks of a day on which the clocks change', () => {
  const [from, to] = ['2026-10-24T23:30:00Z', '2026-10-25T05:30:00Z'].map(at => Date.parse(at))
  const incident = { ...goesOn('gateway_offline'), seenMs: from ?? 0, closedMs: to }
  expect(writeAlertLetter(factsOf('en', [incident])).text).toContain(
    'Problem: 25\u00a0October\u00a02026, 02:30\u00a0EEST – 07:30\u00a0EET.',
  )
})

it('writes a digest of a single incident as the mail of that incident', () => {
  const incident = goesOn('gateway_offline')
  expect(writeAlertLetter(factsOf('en', [incident], true))).toEqual(
    writeAlertLetter(factsOf('en', [incident])),
  )
})

it('prints a name with a link or markup as plain text', () => {
  const { html, subject, text } = writeAlertLetter(
    factsOf('en', [goesOn('gate_not_reacting', '<b>x</b>\r\nBcc: http://evil.example')]),
  )
  expect(html).not.toContain('<b>')
  expect(subject).not.toMatch(/[\r\n]/)
  expect(text).not.toContain('http://evil.example')
})
