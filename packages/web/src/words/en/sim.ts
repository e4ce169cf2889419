// English: the SIM card of a gateway.

import type { SimWarning } from '@callgate/contract/app/sim'
import type { CloudFailure, TaskFailure } from '@callgate/contract/wire/tasks'

/** What is wrong, then what to do. */
const warnings: Readonly<Record<SimWarning, readonly [string, string]>> = {
  credit_low: ['Little is left on the SIM card.', 'Top it up: without credit no gate is called.'],
  expires_soon: [
    'The SIM card expires soon.',
    'Extend it or change it in time: without it no gate is called.',
  ],
  expired: ['The SIM card has expired.', 'Extend it or change it, then correct its last day here.'],
}

export const sim = {
  title: 'SIM card',
  warnings,
  /** Whether the card works, as the modem last said. */
  states: {
    works: 'Works',
    worksYet: 'Still works',
    noNetwork: 'No network',
    broken: 'Does not work',
    notKnown: 'Not known',
  },
  facts: {
    balance: 'Credit',
    notKnown: 'not known',
    answer: 'The network says',
    answered: 'Asked',
    spent: 'Spent in 30 days',
    code: 'Code that asks',
    warnBelow: 'Warns below',
    expiresOn: 'Last day',
  },
  ask: 'Ask for the credit',
  asking: 'Asking…',
  setCode: 'Type the code',
  codeWhy: 'The operator has a code that tells the credit, such as *100#. With it, this page warns in time.',
  cannot: (version: string) => `Version ${version} cannot ask for the credit. A newer version can.`,
  notYet: 'The credit can be asked for once the gateway is online.',
  notDone: (why: string) => `The last time there was no answer. ${why}`,
  /** The cloud gives more details about a refusal: the network's words. */
  reasons: {
    busy: 'The gateway was doing something else.',
    openings_first: 'An opening came first.',
    stopped: 'The gateway was being stopped.',
    modem_not_ready: 'The modem was not ready.',
    no_network: 'The modem had no network.',
    no_answer: 'The network did not answer.',
    unclear: 'Several texts came from the network, and which one is the answer is not known.',
    offline: 'The gateway was offline.',
    restarted: 'The gateway was restarted.',
    cannot: 'This gateway’s version cannot do that. Update it.',
    silent: 'The gateway did not tell how it ended.',
  } satisfies Readonly<Record<Exclude<TaskFailure | CloudFailure, 'refused'>, string>>,
  form: {
    code: 'Code for the credit',
    codeHint:
      'The operator names it, such as *100#. It is asked once a day. Empty: never. Networks sell options by codes with a second star, so only an owner sets such a code.',
    codeWrong: 'A star, digits and a hash, such as *100#.',
    codeRefused:
      'This code may not be sent: it could change a setting of the network. Use one that only asks, such as *100#.',
    warnBelow: 'Warn below',
    warnBelowHint: 'In the currency of the answer. Empty: no warning.',
    amountWrong: 'An amount such as 5 or 5.50.',
    expiresOn: 'Last day of the card',
    expiresOnHint: 'Two weeks before it, this page warns.',
    changedMeanwhile: 'Somebody else has changed this meanwhile. Close this and look before you save again.',
  },
}
