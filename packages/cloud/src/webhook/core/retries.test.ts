import { describe, expect, it } from 'vitest'
import { claimedAtOnce, hasPlace, places } from './places.ts'
import { failsForMs, healthAfter, retryAfterMs, retryDelayMs, type WebhookHealth } from './retries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const well: WebhookHealth = { failures: 0, failingSince: null, isReached: true }
const at = (ms: number) => new Date(ms).toISOString()

describe('the delay after a failed attempt', () => {
  it('is that of the schedule, within a tenth, and there is none after the last attempt', () => {
    const exact = [5_000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map(hours => hours * hourMs)]
    for (const [place, delayMs] of exact.entries()) {
      expect(retryDelayMs(place + 1, 0, undefined)).toBe(Math.round(delayMs * 0.9))
      expect(retryDelayMs(place + 1, 255, undefined)).toBe(Math.round(delayMs * 1.1))
    }
    expect(retryDelayMs(10, 0, 1)).toBeUndefined()
  })

  it('is longer where the answer asks for it, up to a day', () => {
    expect(retryDelayMs(1, 0, 60_000)).toBe(60_000)
    expect(retryDelayMs(1, 0, 1_000)).toBe(4_500)
    expect(retryDelayMs(1, 0, 400 * hourMs)).toBe(24 * hourMs)
    expect(retryAfterMs('120', 0)).toBe(120_000)
    expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 20_000)).toBe(40_000)
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT', 20_000)).toBe(0)
    for (const header of [undefined, 'soon', '-1']) expect(retryAfterMs(header, 0)).toBeUndefined()
  })
})

describe('the health of a webhook', () => {
  const failed = { isDelivered: false, isGone: false }

  it('counts failures in a row, and stops after five days of them', () => {
    const first = healthAfter(well, { ...failed, at: at(0) })
    expect(first).toEqual({ failures: 1, failingSince: at(0), isReached: true, stops: undefined })
    expect(healthAfter(first, { ...failed, at: at(failsForMs - 1) }).stops).toBeUndefined()
    expect(healthAfter(first, { ...failed, at: at(failsForMs) }).stops).toBe('failing')
    expect(healthAfter(first, { at: at(1), isDelivered: true, isGone: false })).toEqual({
      ...well,
      stops: undefined,
    })
  })

  it('stops at once where it is gone', () => {
    expect(healthAfter(well, { at: at(0), isDelivered: false, isGone: true }).stops).toBe('gone')
  })
})

describe('the places of attempts', () => {
  const idle = { inAll: 0, ofUnproven: 0, ofSpace: 0, ofWebhook: 0 }

  it('are 64 in all, 8 for a Space and 4 for a webhook, and one after five failures', () => {
    expect(hasPlace(well, idle)).toBe(true)
    for (const full of [{ inAll: 64 }, { ofSpace: 8 }, { ofWebhook: 4 }])
      expect(hasPlace(well, { ...idle, ...full })).toBe(false)
    const failing = { ...well, failures: 5, failingSince: at(0) }
    expect(hasPlace(failing, idle)).toBe(true)
    expect(hasPlace(failing, { ...idle, ofWebhook: 1 })).toBe(false)
  })

  it('are kept for webhooks that answer: those that do not have half of them', () => {
    const full = { ...idle, inAll: places.ofUnproven, ofUnproven: places.ofUnproven }
    expect(hasPlace({ ...well, failures: 1 }, full)).toBe(false)
    expect(hasPlace({ ...well, isReached: false }, full)).toBe(false)
    expect(hasPlace(well, full)).toBe(true)
  })

  it('are claimed ahead only for a webhook that answers', () => {
    expect([well, { ...well, failures: 1 }, { ...well, failures: 5 }].map(claimedAtOnce)).toEqual([16, 4, 1])
  })
})
