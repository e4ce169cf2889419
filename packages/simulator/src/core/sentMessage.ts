// Messages that are sent: AT+CMGS, its prompt, and what is typed at it (3GPP TS 27.005 3.5.1, TS 23.040 9.2.2.2).

import type { Answer } from './answers.ts'
import type { Command } from './commandLine.ts'
import { drawMs } from './latency.ts'
import { inputBufferSize, type Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { startTimer } from './timer.ts'
import { echo, sendPrompt, sendResponse } from './wording.ts'

const latePromptMs = 8_000

/** AT+CMGS: a prompt, then the text or PDU up to Ctrl-Z; ESC sends nothing. */
export function answerSend(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return { lines: [], result: 'OK' }
  const isText = settingOf(modem.settings, '+CMGF') === '1'
  const isRight = isText ? /^"\+?[\d*#]{1,20}"(,\d{1,3})?$/.test(text) : /^\d{1,3}$/.test(text)
  if (form !== 'set' || !isRight) return { lines: [], result: { cms: isText ? 305 : 304 } }
  if (modem.registration !== 1) return { lines: [], result: { cms: 331 } }
  modem.promptFor = text.split('"')[1] ?? ''
  if (modem.fault.sms === 'latePrompt')
    modem.effects.push(startTimer('prompt', latePromptMs * modem.latencies.scale))
  else openPrompt(modem)
  return { lines: [] }
}

/** The modem takes everything that comes for a message. */
export function openPrompt(modem: Sim800): void {
  modem.prompt = ''
  if (modem.fault.sms !== 'noPrompt') sendPrompt(modem)
}

/** Seven bits for each letter of the default alphabet, which is ASCII for those that are sent here. */
function lettersIn(bytes: Uint8Array, count: number): string {
  let [held, bits, text] = [0, 0, '']
  for (const byte of bytes) {
    held |= byte << bits
    bits += 8
    for (; bits >= 7 && text.length < count; bits -= 7) {
      text += String.fromCharCode(held & 0x7f)
      held >>= 7
    }
  }
  return text
}

/** Whom an SMS-SUBMIT goes to, and what it says; undefined where it is none with a text of seven bits. */
export function submissionOf(pdu: string): { readonly to: string; readonly text: string } | undefined {
  if (!/^(?:[0-9A-F]{2}){10,180}$/i.test(pdu)) return undefined
  const bytes = Buffer.from(pdu, 'hex')
  const at = 1 + (bytes[0] ?? 0)
  const kind = bytes[at] ?? 0
  const digits = bytes[at + 2] ?? 0
  const addressEnd = at + 4 + Math.ceil(digits / 2)
  const validity = [0, 7, 1, 7][(kind >> 3) & 3] ?? 0
  const lengthAt = addressEnd + 2 + validity
  const count = bytes[lengthAt]
  if ((kind & 3) !== 1 || (kind & 0x40) !== 0 || count === undefined || bytes[addressEnd + 1] !== 0)
    return undefined
  const address = bytes
    .subarray(at + 4, addressEnd)
    .toString('hex')
    .replace(/(.)(.)/g, '$2$1')
    .slice(0, digits)
  const data = bytes.subarray(lengthAt + 1)
  if (data.length !== Math.ceil((count * 7) / 8)) return undefined
  return { to: `${bytes[at + 3] === 0x91 ? '+' : ''}${address}`, text: lettersIn(data, count) }
}

/** Ctrl-Z: the network takes the message after a while. False: a PDU that is none, which is an error. */
function submit(modem: Sim800, typed: string): boolean {
  const isText = settingOf(modem.settings, '+CMGF') === '1'
  const message = isText ? { to: modem.promptFor, text: typed } : submissionOf(typed)
  if (!message) {
    sendResponse(modem, [], { cms: 304 })
    return false
  }
  modem.submitted = message
  modem.effects.push(startTimer('submit', drawMs(modem.random, modem.latencies.answerMs)))
  return true
}

/** A message that is typed: Ctrl-Z sends it, ESC does not (V1.09 4.2.5). True: the command is over. */
export function typeMessage(modem: Sim800, character: string): boolean {
  const typed = modem.prompt ?? ''
  if (character !== '\x1a' && character !== '\x1b') {
    if (typed.length < inputBufferSize) modem.prompt = typed + character
    echo(modem, character)
    return false
  }
  modem.prompt = undefined
  if (character === '\x1a') return !submit(modem, typed)
  sendResponse(modem, [], 'OK')
  return true
}

/** The network has answered. */
export function finishSubmit(modem: Sim800): void {
  const { fault, submitted } = modem
  modem.submitted = undefined
  if (!submitted) return
  if (fault.sms === 'refused') {
    sendResponse(modem, [], { cms: 38 })
    return
  }
  modem.messagesSent += 1
  modem.effects.push({ kind: 'submit', ...submitted })
  if (fault.sms !== 'lostOk') sendResponse(modem, [`+CMGS: ${modem.messagesSent % 256}`], 'OK')
}
