// The time of the pictures: the clocks of the cloud, its gateway and the browser begin at the same moment in each run, and go on
// from there. So no picture depends on the hour at which it is taken.

import type { Browser } from 'playwright-core'
import { nowText } from '../../browser/records.ts'

const shiftedClock = new URL('shiftedClock.ts', import.meta.url).href

/** Shifts the clock of every program that this one starts from now on. Returns the time of the pictures. */
export function setPictureTime(): () => Date {
  const shiftMs = Date.parse(nowText) - Date.now()
  // In the address, because the demo passes no variable of CALLGATE on to its parts.
  const shift = `--import ${shiftedClock}?ms=${shiftMs}`
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${shift}`.trim()
  process.env['TZ'] = 'Europe/Bucharest'
  return () => new Date(Date.now() + shiftMs)
}

/** Gives each page of the browser the time of the pictures. */
export function withPictureTime(browser: Browser, time: () => Date): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async options => {
    const context = await newContext({ timezoneId: 'Europe/Bucharest', ...options })
    await context.clock.install({ time: time() })
    return context
  }
  return browser
}
