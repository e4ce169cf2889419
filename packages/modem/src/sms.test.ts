// The result of a message after an error of the modem, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import type { SmsResult } from './modem.ts'
import { phoneNumber, readyModem } from './scriptedModem.kit.ts'

const never = new Promise<void>(() => {})

/** The result of a message where the modem says this after its body was written. */
async function toldAfter(said: string): Promise<SmsResult | undefined> {
  const { far, modem, world, written } = await readyModem(fakeWorld())
  let result: SmsResult | undefined
  const request = { phoneNumber, text: '1234#', answerWithinMs: 1_000 }
  void modem.sms(request, { cancelled: never, stopped: never }).then(given => (result = given))
  await world.until(() => written.some(text => text.startsWith('AT+CMGS=')))
  far.line.say('\r\n> ')
  far.line.say(`\r\n${said}\r\n`)
  await world.until(() => result !== undefined, 10_000)
  return result
}

it.each(['+CMS ERROR: 332', '+CMS ERROR: 500', '+CMS ERROR: 515', 'ERROR'])(
  'after %s the message may have been sent',
  async said => {
    expect(await toldAfter(said)).toEqual({ ok: true, isSent: false, answer: null })
  },
)

it.each(['+CMS ERROR: 38', '+CMS ERROR: 331'])('after %s nothing was sent', async said => {
  expect(await toldAfter(said)).toEqual({ ok: false, reason: 'refused', detail: said })
})
