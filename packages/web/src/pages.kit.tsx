// Pages of the dashboard for tests: each is shown at its address over a fake cloud, and used by role and label as a person does.

import type { Session } from '@callgate/contract/app/session'
import type { ByRoleMatcher } from '@testing-library/dom'
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { run } from 'axe-core'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { type Answers, type FakeCloud, fakeCloud } from './client/fakeCloud.kit.ts'
import { usual } from './client/usualSpace.kit.ts'
import { Dashboard } from './Dashboard.tsx'
import { readFirstWords } from './words/words.tsx'

/** The time for a busy machine; only a failing test waits this long. */
const patienceMs = 20_000

/** Prints the texts of the page, without its elements. */
const getElementError = (message: string | null) =>
  new Error(`${message?.split('\n')[0]} The page says: ${document.body.textContent}`)

/** Runs before and after each test of a file that calls this: a fresh browser, and no faults of the fake. */
export function dashboardPages(): {
  /** Shows the page at `path` to `session`, over a usual Space with these answers. */
  open(path: string, session: Session | undefined, answers?: Answers): Promise<FakeCloud>
} {
  let clouds: FakeCloud[] = []
  let faults: string[] = []
  beforeEach(() => {
    // Whether a style hides an element is not checked: no styles are loaded, and the check takes most of the time.
    configure({ asyncUtilTimeout: patienceMs, getElementError, defaultHidden: true })
    localStorage.clear()
    // Warnings of React or a library about a page; the warning about a dialog that is empty for a moment is no fault.
    vi.spyOn(console, 'error').mockImplementation((...said) => void faults.push(said.map(String).join(' ')))
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    // The lead of the stream: there is one tab.
    const locks = { request: (_: string, __: unknown, lead: () => Promise<void>) => lead() }
    Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    const found = [...faults, ...clouds.flatMap(cloud => cloud.faults)]
    clouds = []
    faults = []
    expect(found, 'troubles of the page').toEqual([])
  })
  return {
    async open(path, session, answers = {}) {
      const cloud = fakeCloud(session, { ...usual, ...answers })
      clouds.push(cloud)
      vi.stubGlobal('fetch', cloud.fetch)
      history.pushState(null, '', path)
      const language = session?.user.language === 'ro' ? 'ro' : 'en'
      render(<Dashboard spoken={await readFirstWords(language)} />)
      return cloud
    },
  }
}

type PageQueries = ReturnType<typeof within>
type Name = string | RegExp
type PartRole = 'banner' | 'dialog' | 'region' | 'row' | 'list' | 'listitem' | 'alert' | 'status'

/** The person at the page. */
export const user = userEvent.setup({ delay: null })

/** The window of happy-dom, which can be narrowed. */
const { happyDOM } = window as unknown as {
  readonly happyDOM: { setViewport(size: { readonly width: number }): void }
}

/** Makes the window as narrow as a phone's, until the end of the test. */
export function onPhone(): void {
  happyDOM.setViewport({ width: 390 })
  onTestFinished(() => happyDOM.setViewport({ width: 1024 }))
}

/** Whether a field or a button is disabled, by itself or by its group. */
export const isDisabled = (element: HTMLElement) =>
  element.matches('[disabled], [aria-disabled="true"]') || element.closest('fieldset[disabled]') !== null

/** The actions and observations of a person on a page, or on a part of it that is looked up each time. */
export function on(place: () => PageQueries = () => screen) {
  const field = (label: Name) => waitFor(() => place().getByLabelText(label))
  const of = (role: ByRoleMatcher, name: Name) => waitFor(() => place().getByRole(role, { name }))
  const said = (text: Name) => place().getAllByText(text, { exact: false })[0] as HTMLElement
  const says = (text: Name) => waitFor(() => said(text))
  return {
    field,
    of,
    button: (name: Name) => of('button', name),
    link: (name: Name) => of('link', name),
    /** Presses a button once it can be pressed. */
    async press(name: Name) {
      const able = () =>
        place()
          .getAllByRole('button', { name })
          .filter((one: HTMLElement) => !isDisabled(one))
      await waitFor(() => expect(able()).toHaveLength(1))
      await user.click(able()[0] as HTMLElement)
    },
    follow: async (name: Name) => user.click(await of('link', name)),
    choose: async (role: ByRoleMatcher, name: Name) => user.click(await of(role, name)),
    check: async (label: Name) => user.click(await field(label)),
    tap: async (text: Name) => user.click(await says(text)),
    select: async (label: Name, option: string) => user.selectOptions(await field(label), option),
    key: (keys: string) => user.keyboard(keys),
    /** The value of a field that a form would send. */
    typed: async (label: Name) => ((await field(label)) as HTMLInputElement).value,
    /** Replaces the text of the field by `text`, and leaves the field. */
    async fill(label: Name, text: string) {
      const input = await field(label)
      fireEvent.focus(input)
      fireEvent.change(input, { target: { value: text } })
      fireEvent.blur(input)
    },
    says,
    saysNot: (text: Name) =>
      waitFor(() => expect(place().queryAllByText(text, { exact: false })).toEqual([])),
    /** Checks a text that is spread over several elements. */
    reads: (text: RegExp) => waitFor(() => expect(document.body.textContent).toMatch(text)),
    /** A part of the page, by its role. */
    part: (role: PartRole, name?: Name) =>
      on(() => within(place().getByRole(role, name === undefined ? {} : { name }))),
    /** The smallest element of this kind around a text. */
    around: (selector: string, text: Name) =>
      on(() => within(said(text).closest<HTMLElement>(selector) ?? document.body)),
  }
}

/** There is no dialog, or it has gone. */
export const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** The rules about styles, which are not loaded here; the browser tests check them on each page. */
const ofStyle = ['color-contrast', 'link-in-text-block', 'target-size', 'landmark-unique']

/** Waits for the readings of the page. Fails where axe-core finds something that affects a screen reader. */
export async function expectAccessible(): Promise<void> {
  await screen.findAllByRole('heading', { level: 1 })
  await waitFor(() => expect(document.querySelectorAll('main .skeleton')).toHaveLength(0))
  const rules = Object.fromEntries(ofStyle.map(rule => [rule, { enabled: false }]))
  const { violations } = await run(
    { exclude: [['[hidden]']] },
    { resultTypes: ['violations'], preload: false, rules },
  )
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
}
