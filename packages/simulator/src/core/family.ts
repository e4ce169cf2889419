// Modem families as data: what differs from a SIM800 in identity, commands, reports and resets.
// The facts and their sources: packages/modem/docs/families.md.

export interface ModemFamily {
  readonly summary: string
  readonly manufacturer: string
  readonly model: string
  /** What AT+CGMR says. */
  readonly revision: string
  /** What ATI says; `IMEI` stands for the modem's own. */
  readonly information: readonly string[]
  /** What AT+GSV says; null where there is no such command. */
  readonly versions: readonly string[] | null
  /** What stands before the SIM's number, by the command that asks for it. */
  readonly simNumbers: Readonly<Record<string, string>>
  /** Commands that other families know and this one answers ERROR. */
  readonly lacks: ReadonlySet<string>
  /** Settings that leave the factory with another value than a SIM800's. */
  readonly factory: Readonly<Record<string, string>>
  /** What `AT+CLCC=?` says; null where calls are never listed unasked. */
  readonly listRange: string | null
  /** How a call tells of itself beside `+CLCC`. */
  readonly callSigns: 'moRing' | 'voiceCall' | 'callInfo'
  /** The start of the line that ends a voice call. */
  readonly voiceCallEnd: string
  /** Lines about bearers and connected numbers come unasked with each call. */
  readonly chatters: boolean
  /** AT+CEER=1 gives numbers; else a text is all there is. */
  readonly numbersCauses: boolean
  /** ATH ends voice calls only with AT+CVHU=0. */
  readonly athNeedsCvhu: boolean
  /** The list of calls begins with a data context, mode 1. */
  readonly listsDataContext: boolean
  /** AT+CFUN=1,1 takes the USB port away for a while. */
  readonly reenumerates: boolean
  /** Lines when it has started, and when SIM and network can be used. */
  readonly started: readonly string[]
  readonly usable: readonly string[]
}

const newerCommands = ['+CICCID', '+QCCID', '+QPINC', '+CVHU', '^DSCI', '+QINDCFG', '+CEREG'] as const
const sim800Commands = ['+MORING', '+CDRIND', '+GSMBUSY', '+CCALR', '+CIURC', '+CBATCHK', '+GSV'] as const

function lacking(has: readonly string[], lacks: readonly string[] = []): ReadonlySet<string> {
  return new Set([...newerCommands, ...sim800Commands, ...lacks].filter(name => !has.includes(name)))
}

const sim800: ModemFamily = {
  summary: 'SIM800L, 2G, on a UART',
  manufacturer: 'SIMCOM_Ltd',
  model: 'SIMCOM_SIM800L',
  revision: 'Revision:1418B04SIM800L24',
  information: ['SIM800 R14.18'],
  versions: ['SIMCOM_Ltd', 'SIMCOM_SIM800L', 'Revision:1418B04SIM800L24'],
  simNumbers: { '+CCID': '' },
  lacks: lacking(sim800Commands),
  factory: {},
  listRange: '(0,1)',
  callSigns: 'moRing',
  voiceCallEnd: '',
  chatters: false,
  numbersCauses: true,
  athNeedsCvhu: false,
  listsDataContext: false,
  reenumerates: false,
  started: ['RDY', '+CFUN: 1'],
  usable: ['Call Ready', 'SMS Ready'],
}

/** What modems on USB have in common: a port without a rate of its own, so that a start is always announced. */
const usb = {
  versions: null,
  factory: { '+IPR': '115200', '+CMEE': '2' },
  numbersCauses: false,
  reenumerates: true,
} as const

/** What the LTE modems of SIMCom have in common. */
const simcomLte = {
  ...usb,
  simNumbers: { '+CICCID': '+ICCID: ' },
  lacks: lacking(['+CICCID', '+CVHU', '+CEREG'], ['+CCID']),
  listRange: '(0-1)',
  callSigns: 'voiceCall',
  usable: ['SMS DONE', 'PB DONE'],
} as const

/** From memory: the identities, the lines at the start, and what ATH does. */
export const families = {
  sim800,
  sim7600: {
    ...sim800,
    ...simcomLte,
    summary: 'SIM7600E-H, LTE, on USB',
    manufacturer: 'SIMCOM INCORPORATED',
    model: 'SIMCOM_SIM7600E-H',
    revision: '+CGMR: LE20B04SIM7600M22',
    information: [
      'Manufacturer: SIMCOM INCORPORATED',
      'Model: SIMCOM_SIM7600E-H',
      'Revision: SIM7600M22_V2.0',
      'IMEI: IMEI',
      '+GCAP: +CGSM',
    ],
    voiceCallEnd: 'VOICE CALL: END',
    athNeedsCvhu: true,
    started: ['RDY'],
  },
  a7672: {
    ...sim800,
    ...simcomLte,
    summary: 'A7672E, LTE, on USB',
    manufacturer: 'INCORPORATED',
    model: 'A7672E-FASE',
    revision: '+CGMR: A7672M7_V1.11.1',
    information: [
      'Manufacturer: INCORPORATED',
      'Model: A7672E-FASE',
      'Revision: A7672M7_V1.11.1',
      'IMEI: IMEI',
    ],
    voiceCallEnd: 'VOICE CALL:END',
    chatters: true,
    started: ['*ATREADY: 1'],
  },
  ec25: {
    ...sim800,
    ...usb,
    summary: 'Quectel EC25, LTE, on USB',
    manufacturer: 'Quectel',
    model: 'EC25',
    revision: 'EC25EFAR06A06M4G',
    information: ['Quectel', 'EC25', 'Revision: EC25EFAR06A06M4G'],
    simNumbers: { '+QCCID': '+QCCID: ', '+CCID': '+CCID: ' },
    lacks: lacking(['+QCCID', '+QPINC', '+CVHU', '+QINDCFG', '^DSCI', '+CEREG'], ['+CSCLK', '+SPIC']),
    listRange: null,
    callSigns: 'callInfo',
    athNeedsCvhu: true,
    listsDataContext: true,
    started: ['RDY', '+CFUN: 1'],
    usable: ['+QIND: SMS DONE', '+QIND: PB DONE'],
  },
} as const satisfies Record<string, ModemFamily>

export type FamilyName = keyof typeof families

function isFamilyName(name: string): name is FamilyName {
  return Object.hasOwn(families, name)
}

export const familyNames: readonly FamilyName[] = Object.keys(families).filter(isFamilyName)
