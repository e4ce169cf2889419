// The modem: it is set up, kept alive, and places one call at a time.

import { askConsole, type ConsoleAnswer } from './console.ts'
import { hasCall, type ModemStatus, type Refusal } from './core/modemState.ts'
import { Driver, type ModemOptions } from './driver.ts'
import { LateConfirmations } from './inbox.ts'
import { keepAlive } from './keepAlive.ts'
import { type DialRequest, type DialResult, placeCall, verdictWithinMs } from './placeCall.ts'
import type { Recording } from './record/recording.ts'
import { type Hold, reserve } from './reserve.ts'
import { type SmsEnds, type SmsRequest, type SmsResult, sendSms } from './sms.ts'
import { Ussd, type UssdResult } from './ussd.ts'

export type { ConsoleAnswer } from './console.ts'
export type { CallFact } from './core/callFacts.ts'
export type { HookName } from './core/ladder.ts'
export type { ModemStatus, Trouble } from './core/modemState.ts'
export type { ModemOptions } from './driver.ts'
export type { DialRequest, DialResult } from './placeCall.ts'
export type { Recording } from './record/recording.ts'
export type { SmsEnds, SmsRequest, SmsResult } from './sms.ts'
export type { UssdResult } from './ussd.ts'

export type Reservation = { readonly ok: true } | { readonly ok: false; readonly reason: Refusal }

export interface Modem {
  /** Opens the line, sets the modem up and keeps it alive; reopens with a growing pause when it is lost. */
  start(): void
  status(): ModemStatus
  onStatus(listener: (status: ModemStatus) => void): void
  /**
   * Makes the line quiet for a dial: no command is in flight and none begins until `dial` or `release`, and the modem has
   * answered within the last 2 s (it is asked if not). After a call to this modem, or a call whose end was not heard completely,
   * it first waits, for up to 1 s, until no late sign of that call can come.
   */
  reserve(): Promise<Reservation>
  /** Ends the last reservation that `reserve` gave; one for a question or a message stays. */
  release(): void
  /**
   * Places one call; needs a reservation, and ends it. Resolves when the call is over and nothing of it is left in the modem, at
   * the latest 80 s after the write. Never rejects.
   */
  dial(request: DialRequest): Promise<DialResult>
  /** Asks what a person types: one question of a closed list, only where no opening needs the line. Never rejects. */
  ask(typed: string): Promise<ConsoleAnswer>
  /** Gives `listener` every line that is no part of an answer, until the returned function is called. */
  onUnasked(listener: (line: string) => void): () => void
  /**
   * Sends one USSD code of the closed grammar and resolves with the network's answer, within 45 s. Where an earlier code had no
   * answer, it first waits up to 60 s, with the modem free, until no late answer can come. When `cancelled` resolves, the modem
   * is free again within 6 s. Never rejects, and never writes during a call.
   */
  ussd(code: string, cancelled: Promise<void>): Promise<UssdResult>
  /**
   * Sends one message (SMS), within 70 s and never twice, and waits for the answer of its number. Only the sending keeps the
   * modem: an opening goes first during the wait for the answer. Never rejects, and never writes during a call.
   */
  sms(request: SmsRequest, ends: SmsEnds): Promise<SmsResult>
  /** What went over the line in the last set-up and in the last calls, unmasked. */
  recording(): Recording
  /** Ends a running call, for a clean stop. */
  hangUp(): Promise<void>
  /** Hangs up, then closes the port for good. */
  close(): Promise<void>
}

async function hangUp(driver: Driver): Promise<void> {
  driver.call?.cancel()
  while (hasCall(driver.state)) await driver.change(verdictWithinMs)
}

async function close(driver: Driver): Promise<void> {
  await hangUp(driver)
  driver.apply({ type: 'close' })
  await driver.line?.close()
}

/** A SIM800 behind `openLine`; nothing happens before `start`. */
export function createModem(options: ModemOptions): Modem {
  const driver = new Driver(options)
  const late = new LateConfirmations()
  const ussd = new Ussd(driver)
  let isStarted = false
  let hold: Hold | undefined
  return {
    start() {
      if (!isStarted) void keepAlive(driver)
      isStarted = true
    },
    status: () => driver.status,
    onStatus: listener => driver.onStatus(listener),
    async reserve() {
      const reserved = await reserve(driver)
      if (!reserved.ok) return reserved
      hold = reserved
      return { ok: true }
    },
    release: () => hold?.release(),
    async dial(request) {
      const ended = driver.recorder.dialling(request)
      try {
        const result = await placeCall(driver, hold, request, late)
        ended(result.dialled ? result : null)
        return result
      } finally {
        ended(null)
      }
    },
    ask: typed => askConsole(driver, typed),
    onUnasked: listener => driver.onUnasked(listener),
    ussd: (code, cancelled) => ussd.ask(code, cancelled),
    sms: (request, ends) => sendSms(driver, request, ends, late),
    recording: () => driver.recorder.recording(),
    hangUp: () => hangUp(driver),
    close: () => close(driver),
  }
}
