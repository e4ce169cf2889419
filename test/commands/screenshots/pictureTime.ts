// The time of the pictures: the clocks of the cloud, its gateway and the browser begin at the same moment in each run, and go on
// from there. So no picture depends on the hour at which it is taken.

import type { Browser } from 'playwright-core'
import { nowText } from '../../browser/records.ts'

const shift = new URL('shiftedClock.ts', import.meta.url).pathname

/** Shifts the clock of every program that this one starts from now on. Returns the time of the pictures. */
export function setPictureTime(): () => Date {
  const shiftMs = Date.parse(nowText) - Date.now()
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${shift}`.trim()
  process.env['CALLGATE_CLOCK_SHIFT_MS'] = String(shiftMs)
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
