// Outgoing messages: AT+CMGS, its prompt, and the text typed at it (3GPP TS 27.005 3.5.1, TS 23.040 9.2.2.2).

import type { Answer } from './answers.ts'
import type { Command } from './commandLine.ts'
import { drawMs } from './latency.ts'
import { inputBufferSize, type Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { type Submission, submissionOf } from './submission.ts'
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

/** The modem treats everything that comes as the message. */
export function openPrompt(modem: Sim800): void {
  modem.prompt = ''
  if (modem.fault.sms !== 'noPrompt') sendPrompt(modem)
}

/** Ctrl-Z: the network takes the message after a while. False: the text is no PDU, which is an error. */
function submit(modem: Sim800, typed: string): boolean {
  const isText = settingOf(modem.settings, '+CMGF') === '1'
  const message: Submission | undefined = isText ? { to: modem.promptFor, text: typed } : submissionOf(typed)
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

/** The whole message once its last part was taken; until then undefined, as a phone shows none. */
function joined(modem: Sim800, { part, text, to }: Submission): string | undefined {
  if (!part) return text
  const key = `${to} ${part.reference} ${part.count}`
  const parts = modem.submittedParts.get(key) ?? new Map<number, string>()
  modem.submittedParts.set(key, parts.set(part.place, text))
  const places = Array.from({ length: part.count }, (_, place) => place + 1)
  if (!places.every(place => parts.has(place))) return undefined
  modem.submittedParts.delete(key)
  return places.map(place => parts.get(place)).join('')
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
  const text = joined(modem, submitted)
  if (text !== undefined) modem.effects.push({ kind: 'submit', to: submitted.to, text })
  if (fault.sms !== 'lostOk') sendResponse(modem, [`+CMGS: ${modem.messagesSent % 256}`], 'OK')
}
