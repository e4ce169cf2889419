// The AT vocabulary: each command's text, longest response time, the shape of its reply, and its place in the manual.

import type { Command } from './core/dialogue.ts'
import { informationNamed } from './core/fields.ts'
import { isFullNumber } from './core/phoneNumber.ts'
import { submission } from './core/submit.ts'

/** `manual` is the section of the SIM800 Series AT Command Manual V1.09, or the family whose manual describes it. */
export interface ManualCommand extends Command {
  readonly manual: string
}

const plainText = /^(?![+*^])[\x20-\x7e]{1,64}$/

export const commands = {
  attention: { text: 'AT', timeoutMs: 2_000, manual: '1.4' },
  /** Sent just before ATD. A healthy modem answers within some milliseconds. */
  attentionBeforeDial: { text: 'AT', timeoutMs: 1_000, manual: '1.4' },
  /** While the modem may still be booting or finding its baud rate. */
  attentionAtBoot: { text: 'AT', timeoutMs: 300, urgent: true, manual: '1.4' },
  /**
   * As above, with ESC: it ends the prompt of a message that another program has begun, in which every command counts as text.
   */
  attentionAfterPrompt: { text: '\x1bAT', timeoutMs: 300, urgent: true, manual: '4.2.5' },
  /** As above, and ends what another program may have left on the line. */
  hangUpAtBoot: { text: 'ATH', timeoutMs: 300, urgent: true, hangsUp: true, manual: '2.2.8' },
  noEcho: { text: 'ATE0', timeoutMs: 3_000, manual: '2.2.7' },
  format: { text: 'ATV1Q0X4', timeoutMs: 3_000, manual: '2.2.15, 2.2.25, 2.2.26' },
  errorTexts: { text: 'AT+CMEE=2', timeoutMs: 3_000, manual: '3.2.20' },
  errorNumbers: { text: 'AT+CMEE=1', timeoutMs: 3_000, manual: '3.2.20' },
  save: { text: 'AT&W', timeoutMs: 3_000, manual: '2.2.32' },
  model: { text: 'AT+CGMM', timeoutMs: 3_000, reply: plainText, manual: '3.2.9' },
  revision: {
    text: 'AT+CGMR',
    timeoutMs: 3_000,
    reply: /^(?:Revision|\+CGMR) *:|^[A-Z0-9][\w.-]{5,40}$/i,
    manual: '3.2.10',
  },
  imei: { text: 'AT+GSN', timeoutMs: 3_000, reply: /^\d{14,17}$/, manual: '2.2.38' },
  baudRate: { text: 'AT+IPR?', timeoutMs: 3_000, reply: informationNamed('+IPR'), manual: '2.2.41' },
  noFlowControl: { text: 'AT+IFC=0,0', timeoutMs: 3_000, manual: '2.2.40' },
  noSleep: { text: 'AT+CSCLK=0', timeoutMs: 3_000, manual: '6.2.20' },
  sim: { text: 'AT+CPIN?', timeoutMs: 5_000, reply: informationNamed('+CPIN'), manual: '3.2.28' },
  pinTries: { text: 'AT+SPIC', timeoutMs: 3_000, reply: informationNamed('+SPIC'), manual: '6.2.3' },
  functionality: { text: 'AT+CFUN?', timeoutMs: 10_000, reply: informationNamed('+CFUN'), manual: '3.2.42' },
  fullFunctionality: { text: 'AT+CFUN=1', timeoutMs: 10_000, manual: '3.2.42' },
  /** Restarts the module, which drops the running command and the buffer. */
  reset: { text: 'AT+CFUN=1,1', timeoutMs: 10_000, urgent: true, manual: '3.2.42' },
  registrationReports: { text: 'AT+CREG=2', timeoutMs: 3_000, manual: '3.2.32' },
  callReports: { text: 'AT+CLCC=1', timeoutMs: 3_000, manual: '3.2.16' },
  ringingReports: { text: 'AT+MORING=1', timeoutMs: 3_000, manual: '6.2.30' },
  noConnectedLine: { text: 'AT+COLP=0', timeoutMs: 3_000, manual: '3.2.21' },
  callerReports: { text: 'AT+CLIP=1', timeoutMs: 15_000, manual: '3.2.18' },
  serviceReports: { text: 'AT+CSSN=1,0', timeoutMs: 3_000, manual: '3.2.54' },
  releaseReports: { text: 'AT+CDRIND=1', timeoutMs: 3_000, manual: '6.2.14' },
  causeNumbers: { text: 'AT+CEER=1', timeoutMs: 3_000, manual: '3.2.7' },
  refuseIncoming: { text: 'AT+GSMBUSY=1', timeoutMs: 3_000, manual: '6.2.45' },
  letIncoming: { text: 'AT+GSMBUSY=0', timeoutMs: 3_000, manual: '6.2.45' },
  /** Messages are read as PDUs, in hexadecimal, so that their text cannot look like a line of the modem. */
  messagesAsPdu: { text: 'AT+CMGF=0', timeoutMs: 3_000, manual: '4.2.2' },
  /** Texts as letters: other programs leave UCS2 or HEX behind, and GSM puts control bytes into lines. */
  characterSet: { text: 'AT+CSCS="IRA"', timeoutMs: 3_000, manual: '3.2.12' },
  messageReports: { text: 'AT+CNMI=2,1', timeoutMs: 3_000, manual: '4.2.8' },
  callerIdRestriction: {
    text: 'AT+CLIR?',
    timeoutMs: 15_000,
    reply: informationNamed('+CLIR'),
    manual: '3.2.19',
  },
  callReady: { text: 'AT+CCALR?', timeoutMs: 3_000, reply: informationNamed('+CCALR'), manual: '6.2.38' },
  registration: { text: 'AT+CREG?', timeoutMs: 3_000, reply: informationNamed('+CREG', 2), manual: '3.2.32' },
  signal: { text: 'AT+CSQ', timeoutMs: 3_000, reply: informationNamed('+CSQ'), manual: '3.2.35' },
  voltage: { text: 'AT+CBC', timeoutMs: 3_000, reply: informationNamed('+CBC'), manual: '3.2.52' },
  /** A hang-up may have to wait for it. */
  voltageInCall: { text: 'AT+CBC', timeoutMs: 1_000, reply: informationNamed('+CBC'), manual: '3.2.52' },
  storage: { text: 'AT+CPMS?', timeoutMs: 5_000, reply: informationNamed('+CPMS'), manual: '4.2.9' },
  operator: { text: 'AT+COPS?', timeoutMs: 3_000, reply: informationNamed('+COPS'), manual: '3.2.22' },
  /** State 6 is only ever unsolicited, and so no part of a list. */
  calls: {
    text: 'AT+CLCC',
    timeoutMs: 3_000,
    reply: /^\+CLCC *: *\d+ *, *\d *, *[0-5] *,/i,
    manual: '3.2.16',
  },
  activity: { text: 'AT+CPAS', timeoutMs: 3_000, reply: informationNamed('+CPAS', 1), manual: '3.2.27' },
  cause: { text: 'AT+CEER', timeoutMs: 2_000, reply: informationNamed('+CEER'), manual: '3.2.7' },
  hangUp: { text: 'ATH', timeoutMs: 20_000, urgent: true, hangsUp: true, manual: '2.2.8' },
  hangUpFallback: { text: 'AT+CHUP', timeoutMs: 3_000, urgent: true, hangsUp: true, manual: '2.2.16' },
  hangUpVoice: { text: 'AT+HVOIC', timeoutMs: 20_000, urgent: true, hangsUp: true, manual: '3.2.44' },
  releaseCall: { text: 'AT+CHLD=11', timeoutMs: 20_000, urgent: true, hangsUp: true, manual: '3.2.13' },
  /** Turns a waiting call away and leaves the active one. */
  refuseWaiting: { text: 'AT+CHLD=0', timeoutMs: 20_000, manual: '3.2.13' },
  endUssd: { text: 'AT+CUSD=2', timeoutMs: 3_000, manual: '27.007 7.15' },
  /**
   * Ends a line that was written in part. A line longer than 556 characters is answered ERROR and never executed, so the
   * part of an ATD that is in the modem's buffer can do nothing.
   */
  spoilLine: { text: '?'.repeat(600), timeoutMs: 500, urgent: true, manual: '1.4.4' },
} as const satisfies Record<string, ManualCommand>

/** The commands of other families in place of those of the SIM800; docs/families.md has their sources. */
export const otherCommands = {
  /** Lets ATH end a voice call (3GPP TS 27.007 6.20). */
  hangUpByAth: { text: 'AT+CVHU=0', timeoutMs: 3_000, manual: '27.007 6.20' },
  noSleep: { text: 'AT+QSCLK=0', timeoutMs: 3_000, manual: 'EC25' },
  /** Registration for LTE, which alone says nothing about calls (27.007 10.1.22). */
  lteRegistration: {
    text: 'AT+CEREG?',
    timeoutMs: 3_000,
    reply: informationNamed('+CEREG', 2),
    manual: '27.007 10.1.22',
  },
  /** Registration for calls over LTE (VoLTE) at the network's IMS (27.007 8.71). */
  imsRegistration: {
    text: 'AT+CIREG?',
    timeoutMs: 3_000,
    reply: informationNamed('+CIREG', 2),
    manual: '27.007 8.71',
  },
  callIndications: { text: 'AT+QINDCFG="ccinfo",1,0', timeoutMs: 3_000, manual: 'EC25' },
  callStates: { text: 'AT^DSCI=1', timeoutMs: 3_000, manual: 'EC25' },
  pinTries: { text: 'AT+QPINC="SC"', timeoutMs: 3_000, reply: /^\+QPINC *: *"?SC"? *,/i, manual: 'EC25' },
} as const satisfies Record<string, ManualCommand>

/** Fixes the rate, so that the module reports a restart by RDY (1.4, 2.2.41). */
export function fixBaudRate(baudRate: number): ManualCommand {
  return { text: `AT+IPR=${baudRate}`, timeoutMs: 3_000, manual: '2.2.41' }
}

/** Gives the SIM its PIN; undefined for a text that is not 4 to 8 digits. */
export function enterPin(pin: string): ManualCommand | undefined {
  if (!/^[0-9]{4,8}$/.test(pin)) return undefined
  return { text: `AT+CPIN="${pin}"`, timeoutMs: 5_000, manual: '3.2.28' }
}

/** Reads the message in a place of the storage. */
export function readMessage(place: number): ManualCommand {
  return {
    text: `AT+CMGR=${place}`,
    timeoutMs: 5_000,
    reply: /^\+CMGR *:|^[0-9A-F]{20,400}$/i,
    manual: '4.2.5',
  }
}

/**
 * Asks the network by a USSD code. Undefined for a code outside of the closed grammar (`UssdCode` of the contract, here in
 * short). The gateway has refused such a code before; no quote, line end or letter may reach the modem.
 */
export function ussdCode(code: string): ManualCommand | undefined {
  if (!/^\*[1-9][0-9]{2,4}(?:\*[0-9]{1,2}){0,2}#$/.test(code)) return undefined
  return { text: `AT+CUSD=1,"${code}",15`, timeoutMs: 5_000, answeredBy: 'ussd', manual: '27.007 7.15' }
}

/** From Ctrl-Z to the network's answer. */
const sendWithinMs = 60_000
const ctrlZ = '\x1a'

/**
 * Sends a message in PDU mode. Undefined for a number that is never dialled, and for letters that need another alphabet; callers
 * check both before.
 */
export function sendMessage(phoneNumber: string, text: string): ManualCommand | undefined {
  const submitted = submission(phoneNumber, text)
  if (!submitted) return undefined
  return {
    text: `AT+CMGS=${submitted.octets}`,
    // Modems prompt at once. An opening that comes meanwhile finds the modem busy.
    timeoutMs: 2_000,
    body: { text: `${submitted.pdu}${ctrlZ}`, timeoutMs: sendWithinMs },
    reply: informationNamed('+CMGS'),
    manual: '4.2.5',
  }
}

/** Deletes it, so that there is room for the next. */
export function deleteMessage(place: number): ManualCommand {
  return { text: `AT+CMGD=${place}`, timeoutMs: 5_000, manual: '4.2.1' }
}

/**
 * A voice call: the semicolon makes it one, `i` shows and `I` hides the caller number (2.2.3). Undefined for a text that
 * is not E.164, and for a number that is never dialled.
 */
export function dialVoice(
  phoneNumber: string,
  callerId: 'show' | 'show_forced' | 'hide',
): ManualCommand | undefined {
  if (!isFullNumber(phoneNumber)) return undefined
  const suffix = { show: '', show_forced: 'i', hide: 'I' }[callerId]
  return { text: `ATD${phoneNumber}${suffix};`, timeoutMs: 20_000, dials: true, manual: '2.2.3' }
}
