// Call facts: the single observations of one call, and their words in the evidence.

import type { Answer } from './dialogue.ts'
import type { CallToken, ModemError, Urc } from './lines.ts'
import { allowsCalls, registrationOf } from './readings.ts'

/** One observation of a call. A `state` is that of AT+CLCC: 0 active, 2 dialling, 3 alerting, 6 disconnected. */
export type CallFact =
  | { readonly fact: 'accepted' }
  | { readonly fact: 'refused'; readonly error: ModemError }
  /** No final result to ATD in time. */
  | { readonly fact: 'unanswered' }
  /** ATD was written in part or not at all, or a part of it may still have been sent. */
  | { readonly fact: 'unsent' }
  | { readonly fact: 'state'; readonly state: number; readonly by: 'urc' | 'poll' }
  | { readonly fact: 'moRing' }
  /** MO CONNECTED, or VOICE CALL: BEGIN. */
  | { readonly fact: 'connected'; readonly text: string }
  | { readonly fact: 'token'; readonly token: CallToken }
  /** +CDRIND: 0, or VOICE CALL: END. */
  | { readonly fact: 'released'; readonly text: string }
  /** +CSSI: 2 forwarded, 3 waiting, 5 barred. */
  | { readonly fact: 'service'; readonly code: number }
  /** +CREG during the call. */
  | { readonly fact: 'registration'; readonly isRegistered: boolean }
  /** The module warned of its supply. */
  | { readonly fact: 'voltage'; readonly text: string }
  | { readonly fact: 'emptyList' }
  /** After a sign of an end the modem still lists our call: the sign belonged to another call. */
  | { readonly fact: 'endDenied' }
  /** After a sign of an end no list says whether ours goes on: this modem has never listed it. */
  | { readonly fact: 'endUnproven' }
  /** A call to this modem. */
  | { readonly fact: 'otherCall' }
  /** A list that the modem was asked for and did not give; `isSupply`: the supply voltage behind it. */
  | { readonly fact: 'unheard'; readonly isSupply?: true }
  /** Unreadable bytes came in place of something that the modem said. */
  | { readonly fact: 'garbled' }
  /** Our own program was stalled for a while: the facts that come now have waited, so their time is not known. */
  | { readonly fact: 'stoodStill' }
  | { readonly fact: 'hangUp'; readonly why: HangUpWhy }
  | { readonly fact: 'cause'; readonly cause: number }
  /** The modem names a cause that no table lists. */
  | { readonly fact: 'strangeCause' }
  | { readonly fact: 'lost'; readonly why: LossWhy }
  /** `mayBeLate`: it could belong to an earlier call that was not confirmed. */
  | { readonly fact: 'confirmed'; readonly by: 'sms' | 'callback'; readonly mayBeLate: boolean }
  /** A confirmation is configured, and none came in time. */
  | { readonly fact: 'unconfirmed' }

/** `unproven`: only lists showed the end, or no list could show it, so the line is freed in any case. */
export type HangUpWhy =
  | 'unanswered'
  | 'unproven'
  | 'setupTimeout'
  | 'rangLongEnough'
  | 'answered'
  | 'talkedLongEnough'
  | 'callLimit'
  | 'cancelled'

/** `restarted`: the module reported it. `settingsGone`: the module restarted without a report. */
export type LossWhy = 'restarted' | 'settingsGone' | 'poweredDown' | 'port' | 'lineBreak' | 'silent' | 'sim'

/** A fact in a few words, for evidence and witnesses. */
export function factText(fact: CallFact): string {
  switch (fact.fact) {
    case 'accepted':
      return 'OK'
    case 'refused':
      return fact.error.text
    case 'unanswered':
      return 'no result to ATD'
    case 'unsent':
      return 'ATD not written whole'
    case 'state':
      return fact.by === 'poll' ? `CLCC ${fact.state} listed` : `CLCC ${fact.state}`
    case 'moRing':
      return 'MO RING'
    case 'connected':
    case 'released':
    case 'voltage':
      return fact.text
    case 'token':
      return fact.token
    case 'service':
      return `CSSI ${fact.code}`
    case 'registration':
      return fact.isRegistered ? 'registered' : 'registration lost'
    case 'emptyList':
      return 'CLCC empty'
    case 'endUnproven':
      return 'end not seen in a list'
    case 'otherCall':
      return 'another call'
    case 'endDenied':
      return 'not ended'
    case 'unheard':
      return `no answer to ${fact.isSupply ? 'CBC' : 'CLCC'}`
    case 'garbled':
      return 'unreadable bytes'
    case 'stoodStill':
      return 'stood still'
    case 'hangUp':
      return `ATH, ${fact.why}`
    case 'cause':
      return `CEER ${fact.cause}`
    case 'strangeCause':
      return 'CEER, no known cause'
    case 'lost':
      return `modem lost, ${fact.why}`
    case 'confirmed':
      return `confirmed by ${fact.by}`
    case 'unconfirmed':
      return 'unconfirmed'
  }
}

/** What an unsolicited line says of our call. */
export function factsOfUrc(urc: Urc): readonly CallFact[] {
  switch (urc.urc) {
    case 'call': {
      if (!urc.call.voice) return []
      if (!urc.call.outgoing) return [{ fact: 'otherCall' }]
      const state: CallFact = { fact: 'state', state: urc.call.state, by: 'urc' }
      return urc.cause === null ? [state] : [state, { fact: 'cause', cause: urc.cause }]
    }
    case 'ring':
    case 'caller':
      return [{ fact: 'otherCall' }]
    case 'garbled':
      return [{ fact: 'garbled' }]
    case 'moRing':
      return [{ fact: 'moRing' }]
    case 'connected':
      return [{ fact: 'connected', text: urc.text }]
    case 'released':
      return [{ fact: 'released', text: urc.text }]
    case 'token':
      return [{ fact: 'token', token: urc.token }]
    case 'service':
      return [{ fact: 'service', code: urc.code }]
    case 'registration':
      return [{ fact: 'registration', isRegistered: allowsCalls(registrationOf(urc.stat)) }]
    case 'voltage':
      return [{ fact: 'voltage', text: urc.text }]
    default:
      return []
  }
}

/** What the answer to ATD says of our call; undefined where it was dropped, as another fact says why. */
export function factOfAnswer(answer: Answer): CallFact | undefined {
  switch (answer.result) {
    case 'ok':
      return { fact: 'accepted' }
    case 'error':
      return { fact: 'refused', error: answer.error }
    case 'token':
      return { fact: 'token', token: answer.token }
    case 'silent':
      return { fact: 'unanswered' }
    // A restart, a closed port or our own hang-up dropped it, and each is a fact of its own.
    case 'dropped':
      return undefined
  }
}
