import type { LockDown } from '@callgate/contract/app/lockDown'
import { fireEvent } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { password } from '../client/fakeCloud.kit.ts'
import { ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { exampleFigures } from '../gates/gateFigures.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const since = '2026-03-20T12:02:00.000Z'

/** The session of a Space whose gates are locked or not, and the operations that change it. */
function lockable(first: LockDown | null, language?: 'ro') {
  let lockDown = first
  const session = () => {
    const now = sessionOf(language && { language })
    return { ...now, spaces: now.spaces.map(space => ({ ...space, lockDown })) }
  }
  const answers = {
    getSession: () => ({ status: 200, body: session() }),
    lockDown() {
      lockDown = { since, by: 'Olga Marin' }
      return { status: 200, body: { lockDown } }
    },
    endLockDown() {
      lockDown = null
      return { status: 204 }
    },
  } satisfies Answers
  return {
    session,
    answers,
    set(now: LockDown | null) {
      lockDown = now
    },
  }
}

it('locks all gates by one confirmed press, and unlocks them after asking who is there', async () => {
  const { answers, session } = lockable(null)
  const cloud = await pages.open(pathOf('gates'), session(), answers)
  await page.press('Lock all gates')
  const question = page.part('dialog')
  await question.says('no member, no key of the API, no admin')
  await expectAccessible()
  await question.press('Lock all gates')
  await page.says('All gates are locked.')
  await page.says('By Olga Marin, since')
  await noDialog()
  expect(cloud.count('lockDown')).toBe(1)
  await expectAccessible()
  cloud.forget()
  await page.press('End the lock-down')
  await page.part('dialog').press('End the lock-down')
  await page.fill('Your password', password)
  await page.press('Confirm')
  await page.saysNot('All gates are locked.')
  expect(cloud.count('endLockDown')).toBe(1)
})

it('says on every page that the gates are locked, in the language of the page', async () => {
  const { answers, session } = lockable({ since, by: null }, 'ro')
  await pages.open(pathOf('members'), session(), answers)
  await page.says('Toate porțile sunt blocate.')
  await page.says('De la')
})

it('says on each gate that it is locked, and of none that it is ready, also when the lock-down begins while the page is open', async () => {
  const { answers, session, set } = lockable(null)
  const cloud = await pages.open(pathOf('gates'), session(), {
    ...answers,
    listGateFigures: () => ({ status: 200, body: { figures: [{ ...exampleFigures, gateId: ids.gateId }] } }),
  })
  await page.button('Open Courtyard gate')
  await page.says('Ready')
  set({ since, by: 'Dan' })
  cloud.tell('space.locked_down', ids.spaceId)
  const locked = await page.button('Locked')
  expect(locked.getAttribute('aria-disabled')).toBe('true')
  await page.saysNot('Ready')
  fireEvent.click(locked)
  expect(cloud.count('openGate')).toBe(0)
  await page.follow('Courtyard gate')
  expect((await page.button('Locked')).getAttribute('aria-disabled')).toBe('true')
  set(null)
  cloud.tell('space.lock_down_ended', ids.spaceId)
  await page.button('Open Courtyard gate')
})

it('shows and hides it when somebody else locks and unlocks the gates', async () => {
  const { answers, session, set } = lockable(null)
  const cloud = await pages.open(pathOf('members'), session(), answers)
  await page.of('heading', 'Members')
  set({ since, by: 'Dan' })
  cloud.tell('space.locked_down', ids.spaceId)
  await page.says('By Dan, since')
  set(null)
  cloud.tell('space.lock_down_ended', ids.spaceId)
  await page.saysNot('All gates are locked.')
})
