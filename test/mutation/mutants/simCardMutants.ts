// Mutants that seeds of the house find through events of a SIM card: messages of strangers, a day's limit, an unrequested USSD
// text.

import { type Mutant, seeds } from './mutant.ts'

export const simCardMutants: readonly Mutant[] = [
  {
    name: 'what a stranger writes is the answer of a module',
    file: 'modem/src/sms.ts',
    find: 'if (!read || !isFrom(read.message, phoneNumber)) return undefined',
    replace: 'if (!read) return undefined',
    why: 'any message is told as the answer of the gate, and deleted',
    test: seeds,
    breaks: 'T3',
    fromSeed: 14,
  },
  {
    name: 'what a gate said before the message is its answer (house)',
    file: 'modem/src/sms.ts',
    find: '    mail.dropUntil(sent.answersAfterMs)',
    replace: '',
    why: 'the owner reads an answer that is none',
    test: seeds,
    breaks: 'T3',
    fromSeed: 14,
  },
  {
    name: 'a restart begins the day of messages anew',
    file: 'gateway/src/sentToday.ts',
    find: '(this.#sent ?? (await this.#read()))',
    replace: '(this.#sent ?? [])',
    why: 'a daemon that starts again and again sends messages without end',
    test: seeds,
    breaks: 'T3',
    fromSeed: 3,
  },
  {
    name: 'a number gets as many messages as one likes',
    file: 'cloud/src/setup/setUpRows.ts',
    find: 'const mostInDay = 5',
    replace: 'const mostInDay = 50',
    why: 'somebody with a session spends the credit of a SIM card, by each gateway in turn',
    test: seeds,
    breaks: 'T3',
    fromSeed: 93,
  },
  {
    name: 'what a network says by itself is the answer to a code',
    file: 'modem/src/core/dialogue.ts',
    find: 'command.answeredBy === urc.urc)) return []',
    replace: "command.answeredBy === urc.urc && urc.urc !== 'ussd')) return []",
    why: 'an advertisement is told as the balance',
    test: 'modem/src/core/dialogue.test.ts',
    breaks: 'T2',
  },
]
