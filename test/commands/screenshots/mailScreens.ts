// The pictures of the mails: as they are, dark, and as programs show them that drop the style sheet, turn the colours over, or know
// no round corners and no padding of a link.

import { type AlertLetterFacts, writeAlertLetter } from '@callgate/cloud/mail/alertLetter'
import { type LetterFacts, writeLetter } from '@callgate/cloud/mail/letter'
import { writeUserLetter } from '@callgate/cloud/mail/userLetter'
import type { Studio } from './guestScreens.ts'

const timezone = 'Europe/Bucharest'
const atMs = Date.parse('2026-11-22T15:51:30.000Z')

const member: Omit<LetterFacts, 'language'> = {
  kind: 'invitation',
  spaceName: 'Lake view',
  spaceTimezone: timezone,
  memberName: 'Ana Pop',
  link: 'https://gates.example/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F',
  accesses: [
    { gateName: 'North gate', schedules: [{ type: 'always', timezone }], maxUsage: null },
    {
      gateName: 'Underground garage',
      schedules: [
        { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone },
        {
          type: 'custom',
          daysOfWeek: [5],
          timeWindows: [{ from: '22:00', to: '06:00' }],
          expiresAt: '2026-12-31T16:00:00Z',
          timezone,
        },
      ],
      maxUsage: 10,
    },
  ],
}
const person = { memberName: 'Mihai Radu', link: 'https://gates.example/spaces/space_1/alerts' } as const
const alert: Omit<AlertLetterFacts, 'language'> = {
  ...person,
  kind: 'alert',
  spaceName: 'Lake view',
  timezone,
  isDigest: false,
  incidents: [
    { kind: 'gateway_offline', name: 'Basement', seenMs: atMs, closedMs: undefined },
    { kind: 'gate_not_reacting', name: 'South gate', seenMs: atMs, closedMs: atMs + 7_200_000 },
  ],
}

function lettersIn(language: LetterFacts['language']): Readonly<Record<string, string>> {
  const invitation = { kind: 'user_invitation', spaceName: 'Lake view', invitedBy: 'Olga Marin' } as const
  return {
    invitation: writeLetter({ ...member, language }).html,
    access: writeLetter({
      ...member,
      language,
      kind: 'access_granted',
      accesses: member.accesses.slice(0, 1),
    }).html,
    alert: writeAlertLetter({ ...alert, language, incidents: alert.incidents.slice(0, 1) }).html,
    alerts: writeAlertLetter({ ...alert, language, isDigest: true }).html,
    admin: writeUserLetter({ ...person, ...invitation, language }).html,
    password: writeUserLetter({ ...person, kind: 'password_reset', language }).html,
    security: writeUserLetter({ ...person, kind: 'password_changed', changedAtMs: atMs, language }).html,
  }
}

const withoutStyles = (html: string) => html.replace(/<style>.*?<\/style>/s, '')
/** What a mail program makes of a mail, as far as Chromium can show it. */
const programs: Readonly<Record<string, (html: string) => string>> = {
  '': html => html,
  '-turned': html =>
    withoutStyles(html).replace('</head>', '<style>html{filter:invert(1) hue-rotate(180deg)}</style></head>'),
  '-plain': html =>
    withoutStyles(html).replace(
      '</head>',
      '<style>*{border-radius:0!important}a{padding:0!important;display:inline!important}</style></head>',
    ),
}

export async function shootMails({ browser, scale, shoot }: Omit<Studio, 'demo'>): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: scale, viewport: { width: 390, height: 780 } })
  const see = async (name: string, html: string, width: number, colorScheme: 'light' | 'dark' = 'light') => {
    await page.setViewportSize({ width, height: 780 })
    await page.emulateMedia({ colorScheme })
    await page.setContent(html)
    const { height = 780 } = (await page.locator('html').boundingBox()) ?? {}
    await page.setViewportSize({ width, height: Math.ceil(height) })
    await shoot(`mail-${name}`, page)
  }
  for (const language of ['en', 'ro', 'uk', 'de'] as const)
    for (const [name, html] of Object.entries(lettersIn(language))) {
      await see(`${name}-${language}-390`, html, 390)
      if (language !== 'en') continue
      await see(`${name}-${language}-390-dark`, html, 390, 'dark')
      await see(`${name}-${language}-1280`, html, 1280)
    }
  const { invitation = '' } = lettersIn('en')
  for (const [program, shown] of Object.entries(programs))
    if (program) await see(`invitation-en-390${program}`, shown(invitation), 390)
  await page.close()
}
