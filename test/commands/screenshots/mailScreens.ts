// The pictures of the mails, as three mail programs show them.

import { type AlertLetterFacts, writeAlertLetter } from '@callgate/cloud/mail/alertLetter'
import { type LetterFacts, writeLetter } from '@callgate/cloud/mail/letter'
import { writeUserLetter } from '@callgate/cloud/mail/userLetter'
import { type MailProgram, mailPrograms, seenIn } from './mailPrograms.ts'
import { fitWindow, type Scheme, type Studio } from './studio.ts'

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
  const changed = { changedAtMs: atMs, timezone, link: 'https://gates.example/password-forgotten' }
  const secret = '#4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F'
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
    admin: writeUserLetter({
      ...person,
      ...invitation,
      link: `https://gates.example/invitation${secret}`,
      language,
    }).html,
    password: writeUserLetter({
      ...person,
      kind: 'password_reset',
      link: `https://gates.example/password-reset${secret}`,
      language,
    }).html,
    security: writeUserLetter({ ...person, ...changed, kind: 'password_changed', language }).html,
    guessed: writeUserLetter({ ...person, ...changed, kind: 'codes_guessed', language }).html,
  }
}

/** The windows in which each program shows a mail. Gmail on the web leaves the colours alone; Outlook for Windows is on a desk. */
const windows: Readonly<Record<MailProgram, readonly (readonly [width: number, Scheme])[]>> = {
  apple: [
    [360, 'light'],
    [360, 'dark'],
    [640, 'light'],
    [640, 'dark'],
  ],
  gmail: [
    [360, 'light'],
    [360, 'dark'],
    [640, 'light'],
  ],
  outlook: [
    [640, 'light'],
    [640, 'dark'],
  ],
}

export async function shootMails({ browser, isWanted, scale, shoot, variants }: Studio): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: scale })
  const devtools = await page.context().newCDPSession(page)
  const see = async (name: string, html: string, program: MailProgram, language: LetterFacts['language']) => {
    for (const [width, scheme] of windows[program]) {
      const isDark = scheme === 'dark'
      await page.setViewportSize({ width, height: 400 })
      await page.emulateMedia({ colorScheme: program === 'apple' ? scheme : 'light' })
      await devtools.send('Emulation.setAutoDarkModeOverride', { enabled: isDark && program === 'gmail' })
      await page.setContent(seenIn(program, html, isDark))
      await fitWindow(page)
      await shoot(`mail-${name}-${language}-${width}-${program}${isDark ? '-dark' : ''}`, page)
    }
  }
  for (const language of variants.mailLanguages)
    for (const [name, html] of Object.entries(lettersIn(language)))
      if (isWanted(`mail-${name}-${language}`))
        for (const program of mailPrograms) await see(name, html, program, language)
  await page.close()
}
