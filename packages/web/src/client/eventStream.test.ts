import type { SpaceEvent } from '@callgate/contract/app/spaceEvent'
import { beforeEach, describe, expect, it } from 'vitest'
import { followSpace, type StreamState } from './eventStream.ts'
import { type Connection, type FakeBrowser, fakeBrowser, settled } from './fakeBrowser.kit.ts'

const event = (kind: SpaceEvent['kind']): SpaceEvent => ({
  kind,
  targetId: 'open_1',
  gateId: null,
  memberId: null,
  at: '2026-01-05T08:00:00.000Z',
})
const text = (id: number, kind: SpaceEvent['kind'] = 'opening.asked') =>
  `id: ${id}\nevent: change\ndata: ${JSON.stringify(event(kind))}\n\n`

let browser: FakeBrowser
beforeEach(() => {
  browser = fakeBrowser()
})

async function openTab(isVisible?: () => boolean, lastEventId?: number) {
  const kinds: string[] = []
  const states: StreamState[] = []
  const listener = {
    onEvent: ({ kind }: SpaceEvent) => void kinds.push(kind),
    onState: (state: StreamState) => void states.push(state),
  }
  const close = followSpace('space_1', listener, browser.openTab(isVisible), lastEventId)
  await settled()
  return { kinds, states, close }
}
const send = async (connection: Connection | undefined, sent: string) => {
  connection?.send(sent)
  await settled()
}

describe('the tabs of a browser', () => {
  it('have one connection, and each receives every event', async () => {
    const tabs = [await openTab(), await openTab(), await openTab()]
    expect(browser.connections.map(({ url }) => url)).toEqual(['/app/v1/spaces/space_1/events'])
    await send(browser.connections[0], `retry: 2000\n\n${text(4, 'reset')}${text(5)}`)
    for (const { kinds, states } of tabs) {
      expect(kinds).toEqual(['reset', 'opening.asked'])
      expect(states).toEqual(['live'])
    }
  })

  it('continue after the last event when the tab that reads is closed', async () => {
    const [first, second] = [await openTab(), await openTab()]
    await send(browser.connections[0], text(7))
    first.close()
    await settled()
    expect(browser.connections.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '7'])
    expect(browser.connections[0]?.isOver()).toBe(true)
    await send(browser.connections[1], text(8, 'opening.ended'))
    expect(second.kinds).toEqual(['opening.asked', 'opening.ended'])
  })

  it('begin after the event that was known before anything was read', async () => {
    const [first, second] = [await openTab(undefined, 4), await openTab(undefined, 6)]
    first.close()
    await settled()
    expect(browser.connections.map(({ lastEventId }) => lastEventId)).toEqual(['4', '6'])
    await send(browser.connections[1], text(7))
    expect(second.kinds).toEqual(['opening.asked'])
  })

  it('take over from a frozen tab, in one that a person looks at', async () => {
    let isLookedAt = false
    await openTab()
    const second = await openTab(() => isLookedAt)
    await send(browser.connections[0], text(7))
    browser.freeze(1)
    await browser.pass(130_000)
    expect(browser.connections).toHaveLength(1)
    isLookedAt = true
    await browser.pass(60_000)
    expect(browser.connections.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '7'])
    expect(browser.connections[0]?.isOver()).toBe(true)
    await send(browser.connections.at(-1), text(8))
    expect(second.kinds).toEqual(['opening.asked', 'opening.asked'])
  })
})

describe('a lost connection', () => {
  it('is tried again after pauses that double, from the last event on', async () => {
    const { states } = await openTab()
    await send(browser.connections[0], text(3))
    browser.connections[0]?.lose()
    await settled()
    for (const [tries, pauseMs] of [
      [2, 500],
      [3, 1_000],
      [4, 2_000],
      [5, 4_000],
    ] as const) {
      await browser.pass(pauseMs - 1)
      expect(browser.connections).toHaveLength(tries - 1)
      await browser.pass(1)
      expect(browser.connections).toHaveLength(tries)
      browser.connections.at(-1)?.lose()
      await settled()
    }
    expect(browser.connections.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '3', '3', '3', '3'])
    expect(states.at(-1)).toBe('lost')
    browser.goOnline()
    await settled()
    await send(browser.connections.at(-1), text(4))
    expect(browser.connections).toHaveLength(6)
    expect(states.at(-1)).toBe('live')
  })

  it('counts as lost after 45 s without a byte', async () => {
    await openTab()
    await browser.pass(44_000)
    await send(browser.connections[0], ':\n\n')
    await browser.pass(44_000)
    expect(browser.connections).toHaveLength(1)
    await browser.pass(2_000)
    expect(browser.connections).toHaveLength(2)
  })

  it('waits as long as the cloud says, and is not tried again where the session has ended', async () => {
    browser.answers.push(new Response('', { status: 429, headers: { 'Retry-After': '10' } }))
    browser.answers.push(new Response('', { status: 401 }))
    const { states } = await openTab()
    await browser.pass(9_000)
    expect(browser.connections).toHaveLength(1)
    await browser.pass(1_000)
    expect(states).toEqual(['lost', 'ended'])
    await browser.pass(600_000)
    expect(browser.connections).toHaveLength(2)
  })

  it('is closed with the tab', async () => {
    const { close } = await openTab()
    close()
    await settled()
    expect(browser.connections[0]?.isOver()).toBe(true)
    await browser.pass(600_000)
    expect(browser.connections).toHaveLength(1)
  })
})
