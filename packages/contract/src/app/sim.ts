// The SIM card of a gateway, for the dashboard: what it has left, when it ends, and how its network is asked.

import Type, { type Static } from 'typebox'
import { GatewayId } from '../ids.ts'
import { limits } from '../limits.ts'
import { between, closed, instant, nullable, words } from '../text.ts'
import { UssdCode } from '../wire/ussd.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

/** More than a million of any currency is on no SIM card. */
const { most: mostHundredths } = limits.sim.warnBelow
const hundredths = (description: string) =>
  Type.Integer({ minimum: -mostHundredths, maximum: mostHundredths, description })
const Money = closed({
  hundredths: hundredths('An amount of 5.00 is 500'),
  currency: Type.String({ maxLength: 8, description: 'As the answer names it: `EUR`, `lei`' }),
})
export type Money = Static<typeof Money>

/** A calendar day. */
const Day = Type.String({ format: 'date', examples: ['2026-12-31'], description: 'a day' })

export const simWarnings = ['credit_low', 'expires_soon', 'expired'] as const
export type SimWarning = (typeof simWarnings)[number]

export const SimView = closed({
  code: nullable(UssdCode),
  warnBelow: nullable(hundredths('Warn when less is left; in hundredths of what the answer is in')),
  expiresOn: nullable(Day),
  now: closed(
    {
      canAsk: Type.Boolean({ description: 'Whether the version of the gateway can ask its network' }),
      asked: nullable(
        closed({
          at: instant('When it was asked last'),
          state: words(['asking', 'done', 'not_done']),
          reason: nullable(Type.String({ description: 'Why it was not done: a word that can be new' })),
          says: nullable(Type.String({ description: 'The same as a sentence' })),
        }),
      ),
      answer: nullable(
        closed({
          at: instant('When the network answered last'),
          text: Type.String(),
          balance: nullable(Money),
        }),
      ),
      spent: nullable(Money),
      warnings: Type.Array(words(simWarnings)),
    },
    { description: 'What is known now. It changes by itself, so an edit never fails because of it' },
  ),
})
export type SimView = Static<typeof SimView>

const params = closed({ gatewayId: GatewayId })
const answer = closed({ sim: SimView })

export const simAppOperations = {
  getSim: appOperation({
    ...appRoutes.getSim,
    role: 'admin',
    rateClass: 'read',
    summary: 'Show what is known of the SIM card of a gateway',
    text: '`spent` is what the answers of the last 30 days tell: the sum of what the balance fell by.',
    params,
    answers: { 200: answer },
    problems: ['not_found'],
  }),
  updateSim: appOperation({
    ...appRoutes.updateSim,
    role: 'admin',
    rateClass: 'write',
    summary: 'Set how the network of a gateway is asked for its balance, and when to warn',
    text: 'What is absent stays as it is. The code is asked once a day. It must be one of USSD that asks for something: what a phone takes for a setting of the network or of the card is refused. Networks sell options by codes with a group (`*100*1#`): only an owner sets another one, with a confirmed session.',
    params,
    body: closed({
      code: Type.Optional(nullable(UssdCode)),
      warnBelow: Type.Optional(
        nullable(Type.Integer({ ...between(limits.sim.warnBelow), description: 'In hundredths' })),
      ),
      expiresOn: Type.Optional(nullable(Day)),
    }),
    answers: { 200: answer },
    problems: ['not_found', 'precondition_failed'],
  }),
  askSim: appOperation({
    ...appRoutes.askSim,
    role: 'admin',
    rateClass: 'write',
    summary: 'Ask the network of a gateway for its balance now',
    text: 'The gateway sends the code when no opening waits or runs. Its answer shows within 150 s. 409 without a code, while something else is asked of the gateway, within a minute of the last time, and where its version cannot do that. By a code with a group (`*100*1#`) only an owner asks, with a confirmed session. The gateway sends 20 codes in 24 hours at most.',
    params,
    answers: { 202: answer },
    problems: ['not_found', 'conflict'],
  }),
}
