// Modem lacks: the machine words for what a modem cannot do although it works, each with a sentence for a person.

import { openWords } from '../text.ts'

const modemLacks = {
  call_reports: 'It reports no call by itself, so changes are seen up to a second late.',
  call_causes: 'It does not say why a call ended.',
  caller_id: 'It does not say whether gates see its number.',
  callers: 'It does not say who rings, so no gate can confirm by calling back.',
  messages: 'It reports no messages, so no gate can confirm by one.',
} as const
export type ModemLackWord = keyof typeof modemLacks

/** The sentence for a word; the word itself where a newer gateway says one that is not known here. */
export function sayLack(word: string): string {
  return Object.hasOwn(modemLacks, word) ? modemLacks[word as keyof typeof modemLacks] : word
}

export const ModemLack = openWords(Object.keys(modemLacks) as ModemLackWord[], {
  description: 'What a modem cannot do although it works',
})
