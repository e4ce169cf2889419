// Modem troubles: the machine words for what a person has to fix at a gateway, each with a sentence for that person.

import { openWords } from '../text.ts'

/** What is wrong, then what to do. */
const modemTroubles = {
  port_missing: 'The modem’s port is missing: check the cable and the port in the configuration.',
  port_busy: 'Another program holds the modem’s port: stop it.',
  port_denied: 'The modem’s port may not be opened: give the gateway’s user the right to it.',
  port_failed: 'The modem’s port cannot be opened: the gateway’s log says why.',
  silent: 'The modem does not answer: check its supply, its wiring and the baud rate.',
  modem_off: 'The modem has no power: check its supply.',
  brownout: 'The modem’s supply gives way during calls: use one of 2 A, close to the modem.',
  sim_missing: 'There is no SIM card in the modem.',
  sim_failure: 'The SIM card does not work: insert it again, or replace it.',
  pin_missing: 'The SIM card asks for a PIN: set it in the gateway’s configuration.',
  pin_refused: 'The SIM card refused the PIN: correct it in the gateway’s configuration.',
  pin_tries: 'The SIM card has too few tries left for its PIN: enter it in a phone, or take it off.',
  sim_puk: 'The SIM card is locked: unlock it with its PUK in a phone.',
  caller_id_hidden: 'The SIM card’s number is hidden, so no gate can know it: ask the operator to show it.',
  call_list_missing:
    'This modem does not list its calls (AT+CLCC), so nobody could tell what a call did: use another model.',
  registration_missing: 'This modem does not say whether it is on the network (AT+CREG): use another model.',
  data_only:
    'The network gives the SIM card data and no calls: ask the operator for calls over LTE (VoLTE) with this modem.',
  messages_full: 'The SIM card is full of messages, so no gate can confirm: delete them in a phone.',
} as const
export type ModemTroubleWord = keyof typeof modemTroubles

/** The sentence for a word; the word itself where a newer gateway says one that is not known here. */
export function sayTrouble(word: string): string {
  return Object.hasOwn(modemTroubles, word) ? modemTroubles[word as keyof typeof modemTroubles] : word
}

export const ModemTrouble = openWords(Object.keys(modemTroubles) as ModemTroubleWord[], {
  description: 'What a person has to fix at the modem',
})
