// The phone numbers of a sandbox: each stands for one way in which a call can end.

import type { ReasonWord } from '../call/reason.ts'

/** The modes of a Space. It keeps its mode for good. */
export const spaceModes = ['live', 'sandbox'] as const
export type SpaceMode = (typeof spaceModes)[number]

/**
 * A range that Ofcom keeps for films and books: no line ever has one of these numbers
 * (https://www.ofcom.org.uk/phones-and-broadband/phone-numbers/numbers-for-drama, mobile).
 */
const reservedPrefix = '+447700900'

interface MagicEnd {
  /** The last three digits. */
  readonly code: string
  readonly reason: ReasonWord
  /** What happens, for the documentation. */
  readonly says: string
}

/** In the order of the documentation: opened, did not open, not called, unknown. */
export const magicEnds = {
  confirmed: {
    code: '100',
    reason: 'confirmed',
    says: 'The gate takes the call, and its module confirms by message that it opened: certain',
  },
  rejected_after_ring: {
    code: '101',
    reason: 'rejected_after_ring',
    says: 'The gate takes the call by rejecting it: likely',
  },
  assumed: {
    code: '102',
    reason: 'rejected_after_ring',
    says: 'The same at a gate of which nothing is known: assumed',
  },
  answered_released: {
    code: '103',
    reason: 'answered_released',
    says: 'The gate answers, opens and hangs up',
  },
  answered: { code: '104', reason: 'answered', says: 'The gate answers, opens and stays on the line' },
  rang: { code: '105', reason: 'rang', says: 'The gate opens by the ringing alone' },
  rejected_to_voicemail: {
    code: '106',
    reason: 'rejected_to_voicemail',
    says: 'The gate rejects the call, and a voicemail takes it',
  },
  slow: {
    code: '107',
    reason: 'rejected_after_ring',
    says: 'The gate takes the call after 40 s: the request waits, and answers then',
  },
  late_report: {
    code: '108',
    reason: 'rejected_after_ring',
    says: 'No report comes in time, so the opening ends with `timeout` after 90 s; 20 s later the report corrects it to `completed`',
  },
  busy: { code: '200', reason: 'busy', says: 'The number is busy' },
  no_reaction: {
    code: '201',
    reason: 'no_reaction',
    says: 'It rings and nothing takes the call: the module may not know the caller',
  },
  no_answer: { code: '202', reason: 'no_answer', says: 'Nobody answers at a gate that answers' },
  rang_out: { code: '203', reason: 'rang_out', says: 'It rings until the network gives up' },
  rejected: { code: '204', reason: 'rejected', says: 'The gate rejects the call at once' },
  ended_too_early: {
    code: '205',
    reason: 'ended_too_early',
    says: 'The call ends sooner than this gate ever ends it',
  },
  late_release: {
    code: '206',
    reason: 'late_release',
    says: 'The call ends later than this gate ever ends it',
  },
  unreachable: { code: '207', reason: 'unreachable', says: 'The module is off or without coverage' },
  no_ringing: { code: '208', reason: 'no_ringing', says: 'The number never rings' },
  bad_number: { code: '209', reason: 'bad_number', says: 'Nobody has this number' },
  congestion: { code: '210', reason: 'congestion', says: 'The network has no channel free' },
  network_rejected: { code: '211', reason: 'network_rejected', says: 'The network refuses the call' },
  no_credit: { code: '212', reason: 'no_credit', says: "The gateway's SIM card has no credit" },
  calls_barred: { code: '213', reason: 'calls_barred', says: "The operator bars the card's calls" },
  voicemail: { code: '214', reason: 'voicemail_suspected', says: 'A voicemail answers' },
  answered_unexpectedly: {
    code: '215',
    reason: 'answered_unexpectedly',
    says: 'Something answers at a gate that does not answer',
  },
  dropped: {
    code: '216',
    reason: 'dropped',
    says: 'The gate answers and hangs up at once, where it should stay on the line',
  },
  gateway_offline: { code: '300', reason: 'gateway_offline', says: 'No gateway is connected' },
  modem_busy: { code: '301', reason: 'modem_busy', says: 'The gateway is busy with other calls' },
  modem_not_ready: { code: '302', reason: 'modem_not_ready', says: 'The modem is not ready' },
  no_network: { code: '303', reason: 'no_network', says: 'The modem has no mobile network' },
  not_dialled: { code: '304', reason: 'not_dialled', says: 'The call is not placed in time' },
  line_in_use: { code: '305', reason: 'line_in_use', says: "The gateway's line is in use" },
  sim_error: { code: '306', reason: 'sim_error', says: "The gateway's SIM card does not work" },
  unknown: {
    code: '400',
    reason: 'outcome_unknown',
    says: 'The call is interrupted: whether the gate opened is not known',
  },
  no_report: { code: '401', reason: 'no_report', says: 'No report ever comes: `timeout` after 90 s' },
  dial_no_response: {
    code: '402',
    reason: 'dial_no_response',
    says: 'The modem does not answer the dial command',
  },
  modem_lost: { code: '403', reason: 'modem_lost', says: 'The modem stops before the gate rings' },
  modem_lost_after_ring: {
    code: '404',
    reason: 'modem_lost_after_ring',
    says: 'The modem stops while the gate rings',
  },
} as const satisfies Readonly<Record<string, MagicEnd>>
export type MagicName = keyof typeof magicEnds

export const magicNames = Object.keys(magicEnds) as MagicName[]

/** The number of a sandbox that ends in this way, in E.164. */
export const magicNumber = (name: MagicName): string => `${reservedPrefix}${magicEnds[name].code}`

const byNumber = new Map(magicNames.map(name => [magicNumber(name), name]))

/** The way in which calls of the number end in a sandbox; undefined for a number that no sandbox takes. */
export const magicOf = (phoneNumber: string): MagicName | undefined => byNumber.get(phoneNumber)

/** How the gateway of a gate with this number stands; undefined for a number that says nothing of it. */
export function playedCallerOf(phoneNumber: string): 'none' | 'not_ready' | undefined {
  const name = magicOf(phoneNumber)
  if (name === 'gateway_offline') return 'none'
  return name === 'modem_not_ready' || name === 'no_network' ? 'not_ready' : undefined
}
