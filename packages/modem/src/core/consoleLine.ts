// What a person may type to the modem: a closed list of questions. Everything else is refused, with what to use instead.

import type { Command } from './dialogue.ts'

/** Read by `AT+NAME?`. They change nothing and answer at once (V.250 5.4.4.3; SIM800 AT manual V1.09, docs/families.md). */
const settings = [
  ...[
    '+CREG',
    '+CGREG',
    '+CEREG',
    '+CIREG',
    '+COPS',
    '+CPIN',
    '+CFUN',
    '+CCALR',
    '+CPSI',
    '+CNSMOD',
    '+CBAND',
  ],
  ...[
    '+CLCC',
    '+MORING',
    '+COLP',
    '+CLIP',
    '+CSSN',
    '+CDRIND',
    '+CEER',
    '+CRC',
    '+GSMBUSY',
    '+CVHU',
    '+CNMP',
  ],
  ...[
    '+CMEE',
    '+CMGF',
    '+CNMI',
    '+CPMS',
    '+CSCA',
    '+CSCS',
    '+CCLK',
    '+CLTS',
    '+CSCLK',
    '+QSCLK',
    '+IPR',
    '+IFC',
  ],
  ...['+CIMI', '+CSPN', '^DSCI'],
] as const

/** Asked exactly as written. */
const questions = [
  ...[
    'AT',
    'ATI',
    'AT+GMI',
    'AT+GMM',
    'AT+GMR',
    'AT+GSN',
    'AT+GCAP',
    'AT+CGMI',
    'AT+CGMM',
    'AT+CGMR',
    'AT+CGSN',
  ],
  ...['AT+CSQ', 'AT+CESQ', 'AT+QCSQ', 'AT+QNWINFO', 'AT+QSPN', 'AT+CBC', 'AT+CPAS', 'AT+CLCC', 'AT+CEER'],
  ...['AT+CCID', 'AT+CICCID', 'AT+QCCID', 'AT+CIMI', 'AT+CNUM', 'AT+SPIC'],
] as const

/** Refused with `=?`, which would search for every network around: for a minute no call would be possible. */
const searches = ['+COPS']

/** Everything that the console writes. */
export const consoleLines: readonly string[] = [
  ...questions,
  ...settings.map(name => `AT${name}?`),
  ...settings.filter(name => !searches.includes(name)).map(name => `AT${name}=?`),
]

const allowed: ReadonlySet<string> = new Set(consoleLines)

/** A slower answer would keep an opening waiting. */
const timeoutMs = 3_000

/** Why a line is not sent, and what to use instead; the first entry that fits counts. */
const refusals: readonly (readonly [look: RegExp, why: string])[] = [
  [/[^\x20-\x7e]/, 'It holds a character that is no printable ASCII. Type the command again'],
  [/^A\/$/, 'A/ repeats the last command of the daemon, whatever that was. Type the command itself'],
  [/^\+\+\+/, 'The console never changes how the modem takes commands'],
  [
    /^AT[ST]?D/,
    'The console never calls. Press "Test call" at the gate on the dashboard, and follow it with: callgate-gateway call',
  ],
  [/;|^AT.*AT/, 'One command a line: a second one behind it could call'],
  [
    /^AT(?:A$|H|S0|\+C(?:HUP|HLD|HUR)|\+HVOIC)/,
    'The daemon alone answers, refuses and ends calls. Restart it to end one: sudo systemctl restart callgate-gateway',
  ],
  [
    /^AT\+CM(?:GS|GW|SS|GC|GL|GR|GD)/,
    'The console neither sends nor reads messages. Put the SIM card into a phone for that',
  ],
  [
    /^AT\+(?:CUSD|CCFC|CCWA)/,
    'The console sends no service codes: they can divert calls. Put the SIM card into a phone for that',
  ],
  [
    /^AT\+C(?:PIN|PIN2|PWD|LCK)\b/,
    'The console enters no PIN and no PUK: a third wrong one locks the card. Write simPin in the configuration, or use a phone',
  ],
  [
    /^AT\+COPS=\?/,
    'It looks for every network, for a minute in which no gate could be called. AT+COPS? says which one is in use',
  ],
  [
    /^AT(?:Z|&F|\+CPOWD|\+QPOWD|\+CFUN|\+CRESET)/,
    'The modem would be away for a while. The daemon restarts it where that helps; to be sure, take its power away and give it back',
  ],
  [
    /=|^AT(?:[EVQX&]|\+CMEE)/,
    'It changes the modem. The daemon sets the modem up itself, and relies on that',
  ],
]

export type ConsoleLine =
  | { readonly ok: true; readonly command: Command }
  /** `why` is for a person. */
  | { readonly ok: false; readonly why: string }

/** The lines of an answer: those with the command's name, and those without a name. */
function replyTo(text: string): RegExp {
  const name = /^AT([+^][A-Z]+)/.exec(text)?.[1] ?? ''
  // AT+CICCID of SIM7600 is answered by +ICCID.
  const named = name === '' ? [] : [name, name.replace('+C', '+')].map(one => `\\${one}:`)
  return new RegExp(`^(?:${[...named, '(?![+^*])'].join('|')})`)
}

/** The command that was typed, in any case and with spaces around it; anything but a line of the list is refused. */
export function readConsoleLine(typed: string): ConsoleLine {
  const text = typed.trim().toUpperCase()
  if (allowed.has(text)) return { ok: true, command: { text, timeoutMs, reply: replyTo(text) } }
  const why = refusals.find(([look]) => look.test(text))?.[1]
  return { ok: false, why: why ?? 'It is none of the commands that the console sends. help shows them' }
}
