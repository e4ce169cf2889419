// Models of modems as data: the differences from a SIM800 in identity, commands, reports and resets. The facts and their sources:
// packages/modem/docs/families.md.

export interface ModemModel {
  readonly summary: string
  readonly manufacturer: string
  /** The answer to AT+CGMM. */
  readonly name: string
  /** The answer to AT+CGMR. */
  readonly revision: string
  /** The answer to ATI; `IMEI` stands for the modem's own. */
  readonly information: readonly string[]
  /** The answer to AT+GSV; null where the command does not exist. */
  readonly versions: readonly string[] | null
  /** The text before the SIM's number, by the command that asks for it. */
  readonly simNumbers: Readonly<Record<string, string>>
  /** Commands of other models that this one answers with ERROR. */
  readonly lacks: ReadonlySet<string>
  /** Settings whose factory value differs from that of a SIM800. */
  readonly factory: Readonly<Record<string, string>>
  /** The answer to `AT+CLCC=?`; null where calls are never listed unasked. */
  readonly listRange: string | null
  /** How calls are reported beside `+CLCC`; `none`: by the token at the end alone. */
  readonly callSigns: 'moRing' | 'voiceCall' | 'callInfo' | 'none'
  /** The start of the line that ends a voice call. */
  readonly voiceCallEnd: string
  /** Each call causes unsolicited lines about bearers and connected numbers. */
  readonly chatters: boolean
  /** The form of the answer to AT+CEER: a number with AT+CEER=1, a name, a number with its name, or nothing about a call. */
  readonly causes: 'number' | 'name' | 'numberedName' | 'none'
  /** AT+CBC gives volts; otherwise millivolts. */
  readonly tellsVolts: boolean
  /** It is on LTE; the answer to ATD where calls are not possible there. */
  readonly lte: false | { readonly dialsInVain: 'ERROR' | 'NO CARRIER' }
  /** ATH ends voice calls only with AT+CVHU=0. */
  readonly athNeedsCvhu: boolean
  /** The list of calls begins with a data context, mode 1. */
  readonly listsDataContext: boolean
  /** For how long AT+CFUN=1,1 takes the USB port away, milliseconds; null: it is on a UART, and the port stays. */
  readonly portAwayMs: number | null
  /** The lines after its start, and when SIM and network are ready. */
  readonly started: readonly string[]
  readonly usable: readonly string[]
}

const newerCommands = [
  ...['+CICCID', '+QCCID', '+QPINC', '+CVHU', '^DSCI', '+QINDCFG', '+CEREG', '+CIREG', '+QSCLK', '+QPOWD'],
  '+CPOF',
] as const
const sim800Commands = [
  ...['+MORING', '+CDRIND', '+GSMBUSY', '+CCALR', '+CIURC', '+CBATCHK', '+GSV', '+CPOWD'],
] as const

function lacking(has: readonly string[], lacks: readonly string[] = []): ReadonlySet<string> {
  return new Set([...newerCommands, ...sim800Commands, ...lacks].filter(name => !has.includes(name)))
}

const sim800: ModemModel = {
  summary: 'SIM800L, 2G, on a UART',
  manufacturer: 'SIMCOM_Ltd',
  name: 'SIMCOM_SIM800L',
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
  causes: 'number',
  tellsVolts: false,
  lte: false,
  athNeedsCvhu: false,
  listsDataContext: false,
  portAwayMs: null,
  started: ['RDY', '+CFUN: 1'],
  usable: ['Call Ready', 'SMS Ready'],
}

/** Another one of the family; from memory, its AT manual is that of the SIM800. */
function likeSim800(name: string, generation: '2G', revision: string, information: string): ModemModel {
  const named = `SIMCOM_${name}`
  return {
    ...sim800,
    summary: `${name}, ${generation}, on a UART`,
    name: named,
    revision: `Revision:${revision}`,
    information: [information],
    versions: ['SIMCOM_Ltd', named, `Revision:${revision}`],
  }
}

/** The common parts of modems on USB: a port without a rate of its own, so that a start is always announced. */
const usb = { versions: null, factory: { '+IPR': '115200', '+CMEE': '2' } } as const

const lteCommands = ['+CVHU', '+CEREG', '+CIREG'] as const

/** The common parts of SIMCom's LTE modems. */
const simcomLte = {
  ...usb,
  simNumbers: { '+CICCID': '+ICCID: ' },
  lacks: lacking([...lteCommands, '+CICCID', '+CPOF'], ['+CCID']),
  listRange: '(0-1)',
  callSigns: 'voiceCall',
  tellsVolts: true,
  lte: { dialsInVain: 'NO CARRIER' },
  usable: ['SMS DONE', 'PB DONE'],
} as const

const informationOf = (manufacturer: string, name: string, revision: string) => [
  `Manufacturer: ${manufacturer}`,
  `Model: ${name}`,
  `Revision: ${revision}`,
  'IMEI: IMEI',
]

function sim7x00(name: string, revision: string, version: string): ModemModel {
  const named = `SIMCOM_${name}`
  return {
    ...sim800,
    ...simcomLte,
    summary: `${name}, LTE, on USB`,
    manufacturer: 'SIMCOM INCORPORATED',
    name: named,
    revision: `+CGMR: ${revision}`,
    information: [...informationOf('SIMCOM INCORPORATED', named, version), '+GCAP: +CGSM'],
    voiceCallEnd: 'VOICE CALL: END',
    causes: 'name',
    athNeedsCvhu: true,
    portAwayMs: 12_000,
    started: ['RDY'],
  }
}

function a76xx(name: string, revision: string, version: string, voiceCallEnd: string): ModemModel {
  return {
    ...sim800,
    ...simcomLte,
    summary: `${name.replace(/-.*/, '')}, LTE, on USB`,
    manufacturer: 'INCORPORATED',
    name,
    revision: `+CGMR: ${revision}`,
    information: informationOf('INCORPORATED', name, version),
    voiceCallEnd,
    chatters: true,
    causes: 'numberedName',
    portAwayMs: 8_000,
    started: ['*ATREADY: 1'],
  }
}

function quectel(name: string, revision: string): ModemModel {
  return {
    ...sim800,
    ...usb,
    summary: `Quectel ${name}, LTE, on USB`,
    manufacturer: 'Quectel',
    name,
    revision,
    information: ['Quectel', name, `Revision: ${revision}`],
    simNumbers: { '+QCCID': '+QCCID: ', '+CCID': '+CCID: ' },
    lacks: lacking(
      ['+QCCID', '+QPINC', '+CVHU', '+QINDCFG', '^DSCI', '+CEREG', '+QSCLK', '+QPOWD'],
      ['+CSCLK', '+SPIC'],
    ),
    listRange: null,
    callSigns: 'callInfo',
    causes: 'none',
    lte: { dialsInVain: 'ERROR' },
    athNeedsCvhu: true,
    listsDataContext: true,
    portAwayMs: 12_000,
    started: ['RDY', '+CFUN: 1'],
    usable: ['+QIND: SMS DONE', '+QIND: PB DONE'],
  }
}

/** A modem with the commands of 3GPP TS 27.007 and no others. */
const standard: ModemModel = {
  ...sim800,
  ...usb,
  summary: 'a modem that is not known, with the commands of the standard alone',
  manufacturer: 'Fibocom',
  name: 'L850-GL',
  revision: '18500.5001.00.05.27.30',
  information: ['L850-GL'],
  lacks: lacking(lteCommands, ['+SPIC', '+CSCLK', '+CBC', '+CCID']),
  simNumbers: {},
  listRange: null,
  callSigns: 'none',
  causes: 'name',
  lte: { dialsInVain: 'NO CARRIER' },
  athNeedsCvhu: true,
  portAwayMs: 12_000,
  started: [],
  usable: [],
}

/** From memory: firmware versions without a source in families.md, the lines at the start, and the effect of ATH. */
export const models = {
  sim800,
  sim7600: sim7x00('SIM7600G-H', 'LE20B04SIM7600G22', 'SIM7600M22_V2.0'),
  a7672: a76xx('A7672SA-FASE', 'A011B07A7672M7_F', 'A7672M7_V1.11.1', 'VOICE CALL:END'),
  ec25: quectel('EC25', 'EC25EFAR06A06M4G'),
  standard,
  sim800c: likeSim800('SIM800C', '2G', '1418B06SIM800C24', 'SIM800 R14.18'),
  sim868: likeSim800('SIM868', '2G', '1418B03SIM868M32', 'SIM868 R14.18'),
  sim900: likeSim800('SIM900', '2G', '1137B16SIM900M64_ST', 'SIM900 R11.0'),
  sim7500: sim7x00('SIM7500E', 'LE11B13SIM7500E', 'SIM7500E_V1.1'),
  a7670: a76xx('A7670E-FASE', 'A110B01A7670M7_F', 'A7670M7_V1.11.1', 'VOICE CALL: END'),
  a7680: a76xx('A7680C-LANS', 'A7680C_B10V01', 'A7680M6_V1.0', 'VOICE CALL: END'),
  ec21: quectel('EC21', 'EC21EFAR06A03M4G'),
  eg25: quectel('EG25-G', 'EG25GGBR07A08M2G'),
  eg95: quectel('EG95', 'EG95EFBR02A07M4G'),
  listless: {
    ...standard,
    summary: 'a modem that is not known and lists no calls: no driver can use it',
    name: 'MC-1',
    lacks: new Set([...standard.lacks, '+CLCC']),
  },
} as const satisfies Record<string, ModemModel>

export type ModelName = keyof typeof models

function isModelName(name: string): name is ModelName {
  return Object.hasOwn(models, name)
}

export const modelNames: readonly ModelName[] = Object.keys(models).filter(isModelName)
