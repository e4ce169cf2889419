// USSD: the codes that a gateway may send to the network, and the answer of the network.

import Type, { type Static } from 'typebox'
import { closed } from '../text.ts'

/**
 * A code that asks for something: `*100#`, `*133*1#`. One star, 3 to 5 digits, at most two groups of one or two digits, a hash:
 * no phone number or sum of money fits into it. A setting of the network or of the SIM card, as a phone knows them by 3GPP
 * TS 22.030, does not have this form: all codes of two digits, all that begin with 0 (all forwardings, passwords, PINs) or
 * otherwise than with one star. Those of three digits (annex B) are left out by name: 214 follow me, 30n calling name, 33n and
 * 35n barring, 36n user-to-user signalling, 37n completion of calls, 59n multiple subscriber profile, 75n priority.
 */
const ussdCodeForm =
  /^\*(?:[14689][0-9]{2}|2[02-9][0-9]|21[0-35-9]|3[12489][0-9]|5[0-8][0-9]|7[0-46-9][0-9]|[1-9][0-9]{3,4})(?:\*[0-9]{1,2}){0,2}#$/

/** Whether a gateway may send it. */
export const isUssdCode = (code: string): boolean => ussdCodeForm.test(code)

/**
 * Whether a code has a group after its first digits, such as `*100*1#`. Networks sell options by such codes, so that sending one
 * may cost money.
 */
export const mayBuy = (code: string): boolean => code.lastIndexOf('*') > 0

export const UssdCode = Type.String({
  pattern: ussdCodeForm.source,
  examples: ['*100#'],
  description:
    'one star, 3 to 5 digits, at most two groups of one or two digits, and a hash; no code that changes a setting of the network',
})

/** What the network has answered. */
export const UssdAnswer = closed({
  text: Type.String({ maxLength: 200 }),
  isMenu: Type.Boolean({ description: 'It asked for more. The session was ended.' }),
})
export type UssdAnswer = Static<typeof UssdAnswer>
