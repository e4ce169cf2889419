// A page whose program is loaded late, and one whose program does not come.

import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { readFirstWords, Speaking } from '../words/words.tsx'
import { lazy, Shown } from './lazy.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function show(load: Parameters<typeof lazy>[0]) {
  const page = lazy(load)
  render(
    <Speaking spoken={await readFirstWords('en')}>
      <Suspense fallback={null}>
        <Shown beganMs={Date.now()} page={page} params={{}} />
      </Suspense>
    </Speaking>,
  )
}

it('shows a page once its program is there', async () => {
  await show(async () => ({ default: () => <p>The page</p> }))
  expect(await screen.findByText('The page')).toBeDefined()
})

it('says that a program did not come, with a button that loads the page again', async () => {
  // React reports the error as well.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await show(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Callgate did not come')
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  screen.getByRole('button', { name: 'Read again' }).click()
  expect(reload).toHaveBeenCalledOnce()
})

it('loads the page again by itself once the cloud answers, and not before the page is 20 s old', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() })
  const answers = [new TypeError('refused'), new Response('', { status: 502 }), new Response('{}')]
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer
  })
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  try {
    await show(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(asked).not.toHaveBeenCalled()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    while (answers.length > 0) await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect([asked.mock.calls.length, reload.mock.calls.length]).toEqual([3, 1])
  } finally {
    vi.useRealTimers()
  }
})
