// Set-up messages (SMS) to a gate module: what a gateway is asked to send, and what came of it.

import Type from 'typebox'
import { type ModuleBrandId, moduleBrandIds } from '../call/setUpMessage.ts'
import { closed, nullable, words } from '../text.ts'

/** What `sealText` writes: 80 bytes as base64url. */
const sealedTextPattern = '^[A-Za-z0-9_-]{107}$'

const phoneNumber = Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$' })

export const ModuleBrand = words(moduleBrandIds, { description: 'Which module the gate has' })
export const PlaceInModule = Type.String({
  pattern: '^[0-9]{1,4}$',
  description: 'The place in the list of the module, where its message has one',
})

/** The members of the task. No text travels: the gateway composes it from these, so that it can send nothing else. */
export const SetUpSms = {
  brand: ModuleBrand,
  /** The module's number. */
  phoneNumber,
  /** The number to let in: that of the gateway. */
  callerNumber: phoneNumber,
  place: nullable(PlaceInModule),
  /** The module's password, for the key of this gateway and about `aboutSms` alone. */
  sealedPassword: Type.String({ pattern: sealedTextPattern }),
}

interface About {
  readonly gatewayId: string
  readonly brand: ModuleBrandId
  readonly phoneNumber: string
  readonly callerNumber: string
  readonly place: string | null
}

/** What a sealed password is about: it cannot be sent to another number, or in another message. */
export const aboutSms = ({ brand, callerNumber, gatewayId, phoneNumber: to, place }: About): string =>
  ['sms', gatewayId, brand, to, callerNumber, place ?? ''].join('|')

/** The longest answer of a module that is passed on, in characters: that of three messages. */
export const mostAnswerCharacters = 480

/** What came of it. */
export const SmsOutcome = {
  sent: words(['yes', 'unknown'], {
    description: '`unknown`: the network did not say whether it took the message. It is not sent again',
  }),
  answer: nullable(
    closed({
      text: Type.String({ maxLength: mostAnswerCharacters }),
      isWhole: Type.Boolean({ description: 'Whether all of its parts came' }),
    }),
  ),
}
