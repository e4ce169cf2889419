// The consent: what a report holds and what is masked in it, shown before anything is written.

import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { logLines } from './report.ts'

export const consentText = `This writes one file for whoever helps you. Nothing is sent anywhere: the file stays on this machine until you send it.

It holds
  the versions of the gateway and of its system, and the board
  the modem: model, firmware, network, signal, supply
  what doctor finds, which takes up to a minute
  the configuration, without password and PIN
  the last ${logLines} lines of the daemon's log
  the lines between gateway and modem, with their times: of the last set-up, and of the last 20 calls since the daemon started

It masks
  phone numbers of anybody; IMEI, IMSI and the number of the SIM card. In the lines of the modem, other digits take
  their place, the same for the same number
  PIN, password, keys, tokens and one-time codes
  names: of callers and of the card's phone book, of the hosts of cloud and broker, of users of this machine
  the texts of messages and of the network, and the radio cell that the modem is in

It shows
  the ids of this gateway and of its openings, the name of the mobile network, addresses (IP), times`

/** Asks on a terminal. Only y, yes, in any case, is a yes; the end of the input is a no. */
export async function isConsented(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  question: string,
): Promise<boolean> {
  const terminal = createInterface({ input, output })
  terminal.setPrompt(question)
  terminal.prompt()
  const answer = await new Promise<string>(resolve => {
    terminal.once('line', resolve)
    terminal.once('close', () => resolve(''))
  })
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}
