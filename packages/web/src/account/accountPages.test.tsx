import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

const ownSession = {
  id: 'session_01kdhw5r9t2v4x6z8b1d3f5h7j',
  isCurrent: true,
  browser: 'Firefox on Linux',
  createdAt: '2026-01-05T08:00:00.000Z',
  lastSeenAt: '2026-01-05T08:00:00.000Z',
  expiresAt: '2099-01-01T00:00:00.000Z',
}

/** A user whose name and language are those of the last change. */
function somebody(first: ReturnType<typeof sessionOf>) {
  let session = first
  const answers: Answers = {
    getSession: () => ({ status: 200, body: session }),
    listSessions: () => ({ status: 200, body: { sessions: [ownSession] } }),
    updateProfile({ body }) {
      const user = { ...session.user, ...body }
      session = { ...session, user }
      return { status: 200, body: { user } }
    },
  }
  return answers
}

it('changes name and language, and keeps what is typed until it is saved', async () => {
  const session = sessionOf({ name: 'Ana Pop' })
  const cloud = await pages.open('/', session, somebody(session))
  await page.of('heading', 'Gates')
  await page.press(/You and your settings/)
  await page.choose('menuitem', 'Your account')
  await page.fill('Name', 'See www.example.com')
  await page.press('Save')
  await page.says('Leave out :// and www.')
  await page.follow('Activity')
  await page.says('It is not saved yet.')
  await page.part('dialog').press('Keep typing')
  await page.fill('Name', 'Ana-Maria Pop')
  await page.select('Language', 'ro')
  await page.press('Save')
  await page.of('heading', 'Contul tău')
  await page.part('banner').says('Ana-Maria Pop')
  await page.says('Firefox pe Linux')
  await expectAccessible()
  expect(cloud.bodies('updateProfile')).toEqual([{ name: 'Ana-Maria Pop', language: 'ro' }])
})

it('is available to a user without a Space', async () => {
  const session = { ...sessionOf({ name: 'Ion Marin' }), spaces: [] }
  await pages.open('/', session, somebody(session))
  await page.says('You belong to no Space')
  await page.follow('Your account')
  await page.says('This one')
  await expectAccessible()
  await page.fill('Name', 'Ion M.')
  await page.press('Save')
  await page.saysNot('There are changes')
  await page.follow('Back')
  await page.says('You belong to no Space')
})

it('ends other sessions, one or all', async () => {
  let sessions = ['Opera', 'Chrome on an iPhone', 'Edge on Windows'].map((browser, place) => ({
    ...ownSession,
    id: another(ownSession.id, place + 1),
    isCurrent: false,
    browser,
  }))
  const session = sessionOf({ name: 'Ioana Dinu' })
  const cloud = await pages.open('/account', session, {
    ...somebody(session),
    listSessions: () => ({ status: 200, body: { sessions: [ownSession, ...sessions] } }),
    endSession({ params: { sessionId } }) {
      sessions = sessions.filter(({ id }) => id !== sessionId)
      return { status: 204 }
    },
    endOtherSessions() {
      sessions = []
      return { status: 204 }
    },
  })
  const names = () => sessions.map(({ browser }) => browser)
  await page.press('End Opera')
  await page.says('End the session on Opera?')
  await expectAccessible()
  await page.press('End it')
  await page.saysNot('Opera')
  expect(names()).toEqual(['Chrome on an iPhone', 'Edge on Windows'])
  await page.press('End all others')
  await page.says('2 sessions end; this one stays.')
  await page.press('End them')
  await page.saysNot('End all others')
  await page.says('This one')
  await expectAccessible()
  expect([cloud.count('endSession'), cloud.count('endOtherSessions'), names()]).toEqual([1, 1, []])
  cloud.answer({ updateProfile: () => ({ problem: 'unauthorized', message: 'The session has ended.' }) })
  await page.fill('Name', 'Ioana')
  await page.press('Save')
  await page.says('Your session has ended')
})
