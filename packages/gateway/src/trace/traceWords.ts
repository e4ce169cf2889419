// An opening in words for a person at the gate: each step, how it ended, what that means, and advice.

import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import type { InstallerAdvice } from '@callgate/contract/call/reasonRow'
import { rowOf } from '@callgate/contract/call/reasonRows'
import type { Verdict } from '@callgate/contract/call/verdict'
import type { CallFact } from '@callgate/modem/modem'
import type { Effect, OpenerEvent } from '../core/openerState.ts'
import { masked } from '../core/phoneNumber.ts'
import type { TraceLine } from '../local/localMessages.ts'

/** One step, without its time and its opening. */
export type CallSummary = Pick<TraceLine, 'says' | 'advice' | 'end'>

const told = (says: string, advice: string | null = null, end: TraceLine['end'] = null): CallSummary => ({
  says,
  advice,
  end,
})

const refusals = {
  refused: ['The cloud does not allow the call', 'The opening on the dashboard says why'],
  expired: [
    'The cloud does not allow the call: it is too late',
    'Press again; look at the signal of the uplink',
  ],
  already_granted: ['Another gateway calls this gate', 'Nothing: one gateway calls, and no second one'],
  superseded: [
    'The cloud refuses this gateway: it was started elsewhere, or revoked',
    'Stop the other one, or enrol this one again',
  ],
} as const

/** Describes the cloud's answer; a grant is described when the opener accepts it. */
export function tellEvent(event: OpenerEvent): CallSummary | undefined {
  if (event.type === 'hint') return told('The cloud asks for an opening')
  if (event.type !== 'grant' || event.grant.granted) return undefined
  const [says, advice] = refusals[event.grant.reason]
  return told(says, advice, 'not_called')
}

const profileAdvice =
  'Run the calibration at the gate on the dashboard, so that its profile says what this gate does'
const supplyAdvice =
  'Give the modem a supply of its own that gives 2 A, with short thick wires and 1000 µF at its pins'
const networkAdvice = 'Look at the antenna and at the credit of the SIM card: callgate-gateway doctor'

const advices: Readonly<Record<InstallerAdvice, string>> = {
  network: networkAdvice,
  doctor: 'Run callgate-gateway doctor: it says what the modem needs',
  otherCall: 'Press again when the other call is over',
  simCard: 'Look at the SIM card: callgate-gateway doctor',
  lineInUse: 'Press again in a moment: somebody else is calling',
  supply: supplyAdvice,
  busyNumber:
    "Press again in 10 seconds. If it stays so, something else calls the gate's number all the time",
  operator: 'Ask the operator whether the SIM card has credit and may call this number',
  credit: 'Top up the SIM card: its credit is used up',
  barring: 'Ask the operator to let this SIM card call. It may bar one without credit as well',
  compareNumber: 'Compare the number at the gate on the dashboard with that of the SIM card in the gate',
  moment: 'Press again in a moment',
  moduleWorks: "Look whether the gate's module has power, signal and a SIM card that works",
  moduleRings: "Look whether the gate's module has power and signal, and call its number with a phone",
  allowNumber:
    "Allow this SIM card's number in the gate's module, and look whether the network shows the number: callgate-gateway doctor, line caller number",
  lookAndCalibrate: 'Look whether the gate moved. If it did, run the calibration again',
  lookForVoicemail: `Look whether the gate moved. ${profileAdvice}. If it did not move, a voicemail answered: switch it off (##002#)`,
  voicemail: "Switch the voicemail of the gate's SIM card off (##002#), and call its number with a phone",
  look: 'Look at the gate before you press again',
}

/** Advice for an installer; undefined where nothing needs to be done, and for an unknown reason. */
function adviceFor(reason: string): string | undefined {
  const installer = rowOf(reason)?.installer
  return installer ? advices[installer] : undefined
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const opened: Readonly<Record<Verdict['opened'], string>> = {
  yes: 'The gate has opened',
  likely: 'The gate has probably opened',
  no: 'The gate did not open',
  unknown: 'Whether the gate opened is not known from the call',
}

/** How the call ended, by its verdict. */
function endOf({ cause, endToken, reason, ringMs, talkMs }: Verdict): string | undefined {
  const signs = [endToken, cause === null ? null : `cause ${cause}`].filter(sign => sign !== null).join(', ')
  const shown = signs === '' ? '' : ` (${signs})`
  if (talkMs !== null) return `The call lasted ${seconds(talkMs)} after it was answered${shown}`
  if (ringMs === null) return undefined
  return rowOf(reason)?.gate === 'rejected'
    ? `The gate's module rejected the call after ${seconds(ringMs)} of ringing${shown}`
    : `It rang for ${seconds(ringMs)}${shown}`
}

/** Describes the end of a call: how it ended, what that means, and advice. */
export function tellVerdict(verdict: Verdict, isLearned: boolean): CallSummary {
  // A later version of the contract may have more reasons.
  const meaning = reasons[verdict.reason as ReasonWord] ?? verdict.reason
  // The REST request in the text is of no use at the gate.
  const means = meaning.split(' If it opened, send PATCH')[0]
  const says = [endOf(verdict), means, `${opened[verdict.opened]}.`]
  const advice = adviceFor(verdict.reason)
  const next = verdict.status === 'completed' && !isLearned ? profileAdvice : null
  return told(
    says
      .flatMap(one => (one === undefined ? [] : [one.replace(/\.?$/, '.')]))
      .join(' ')
      .replace(/\.$/, ''),
    advice ?? next,
    verdict.status,
  )
}

/** Describes what the gateway does for an opening. */
export function tellEffect(effect: Effect, isLearned: boolean): CallSummary | undefined {
  switch (effect.type) {
    case 'claim':
      return told('The modem is free. The gateway asks the cloud whether it may call')
    case 'intend':
      return told('The cloud allows the call')
    case 'dial':
      return told(`The modem calls ${masked(effect.phoneNumber)}, profile ${effect.callProfile.mode}`)
    case 'decline':
      return told(reasons[effect.reason].replace(/\.$/, ''), adviceFor(effect.reason) ?? null, 'declined')
    case 'report':
      if (effect.report.phase === 'ended') return tellVerdict(effect.report.verdict, isLearned)
      return effect.report.phase === 'not_dialled'
        ? told('Nothing was called: leave, disk or modem came too late', 'Press again', 'not_called')
        : undefined
    default:
      return undefined
  }
}

const hangUps: Readonly<Record<Extract<CallFact, { fact: 'hangUp' }>['why'], string>> = {
  unanswered: 'The modem does not answer the dial command. The call is ended',
  unproven: 'The line is freed',
  setupTimeout: 'It does not ring. The call is ended',
  rangLongEnough: 'It has rung for as long as the profile says. The call is ended',
  answered: 'Somebody answered. The call is ended',
  talkedLongEnough: 'It was answered for as long as the profile says. The call is ended',
  callLimit: 'The call takes too long. It is ended',
  cancelled: 'The call is cancelled',
}

/** Describes an observation of the call; undefined where it does not help a person. */
export function tellFact(fact: CallFact): CallSummary | undefined {
  switch (fact.fact) {
    case 'accepted':
      return told('The modem takes the call to the network')
    case 'refused':
      return told(`The modem refuses to call: ${fact.error.text}`)
    case 'moRing':
      return tellState(3)
    case 'connected':
      return tellState(0)
    case 'state':
      return tellState(fact.state)
    case 'hangUp':
      return told(hangUps[fact.why])
    case 'token':
    case 'released':
      return told('The call has ended')
    case 'voltage':
      return told(`The modem warns of its supply: ${fact.text}`, supplyAdvice)
    case 'lost':
      return told(`The modem went away during the call: ${fact.why}`, supplyAdvice)
    case 'registration':
      return fact.isRegistered
        ? undefined
        : told('The modem loses the network during the call', networkAdvice)
    case 'otherCall':
      return told('Somebody calls this modem. It is turned away')
    case 'confirmed':
      return told(fact.by === 'sms' ? 'The gate confirms by a message' : 'The gate confirms by calling back')
    case 'unconfirmed':
      return told('The gate has not confirmed in time')
    default:
      return undefined
  }
}

/** Describes a state of AT+CLCC. */
function tellState(state: number): CallSummary | undefined {
  switch (state) {
    case 0:
      return told('The call is answered')
    case 2:
      return told('The network accepts the call')
    case 3:
      return told('It rings at the gate')
    case 6:
      return told('The call has ended')
    default:
      return undefined
  }
}
