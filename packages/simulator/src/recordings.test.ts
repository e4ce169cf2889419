// Compares the simulator's lines with lines that real modems have sent, in both directions.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandNames } from './core/answers.ts'
import { settingNames } from './core/settings.ts'
import { openTerminal, type Terminal } from './terminal.kit.ts'
import { phoneNumber } from './usual.kit.ts'

const folder = join(import.meta.dirname, '../../modem/fixtures')
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n')

const answers = linesOf('answers.txt').flatMap(line => {
  const [, command, said] = /^(AT\S*|restart) (.+)$/.exec(line) ?? []
  return command === undefined || said === undefined ? [] : [[command, said] as const]
})
const ofCalls = readdirSync(folder)
  .filter(name => name.endsWith('.trace') && !name.startsWith('simulated'))
  .flatMap(linesOf)
  .flatMap(line => /^\d+ (.+)$/.exec(line)?.[1] ?? [])

/** The line without its values: digits and quoted texts. A line of digits alone keeps their count. */
const shapeOf = (line = '') =>
  /^\d+$/.test(line) ? `${line.length} digits` : line.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0')
const recorded = new Set(
  [...answers.map(([, said]) => said), ...ofCalls, ...linesOf('ussd.txt')].map(shapeOf),
)

/** At a fixed rate: a modem that searches for its rate does not announce its start. */
async function restart({ say, simulator }: Terminal) {
  await say('AT+IPR=115200;&W', 1_000)
  simulator.restart()
}

describe('the answer of the simulator', () => {
  it.each(answers)('to %s has the form of the recorded one: %s', async (command, said) => {
    const terminal = await openTerminal({ gates: [{ farEnd: 'ring_forever', phoneNumber }] }, [
      'ATE0',
      'AT+CUSD=1',
    ])
    if (command === 'AT+CLCC') await terminal.say(`ATD${phoneNumber};`, 100)
    if (command === 'restart') await restart(terminal)
    else terminal.type(`${command}\r`)
    await terminal.world.advance(20_000)
    expect(terminal.heard().map(shapeOf)).toContain(shapeOf(said))
  })
})

/** The lines of the simulator's SIM800L: to each of its commands, in a call, to a code, to messages, and at a restart. */
async function allThatIsSaid(): Promise<readonly string[]> {
  const terminal = await openTerminal({ gates: [{ farEnd: 'reject_busy', phoneNumber }] }, ['ATE0'])
  const { simulator, world } = terminal
  const said: string[] = []
  const hear = async (forMs: number) => {
    await world.advance(forMs)
    said.push(...terminal.heard())
  }
  const type = async (command: string, forMs = 3_000) => {
    said.push(...(await terminal.say(`AT${command}`, forMs)))
  }
  // These end the session, or change the form of results.
  const leftOut = ['+CPOWD', '+CPOF', '+QPOWD', 'Z', '&F', '&W', 'A', 'V', 'X']
  const identity = ['I', '+CGMI', '+CGMM', '+CGMR', '+GSV', '+GSN', '+GCAP', '+CCID', '+ICCID']
  for (const name of [...commandNames(), ...identity].filter(one => !leftOut.includes(one)))
    for (const form of ['', '?', '=?']) await type(`${name}${form}`)
  await type('+CLCC=1;+MORING=1;+CEER=1;+CMEE=1;+COLP=1;+CDRIND=1;+CLIP=1;+CUSD=1;+CMGF=1')
  await type(`D${phoneNumber};`, 30_000)
  await type('+CEER')
  await type('+CUSD=1,"*100#",15', 20_000)
  simulator.callIn('+40733333333')
  await hear(30_000)
  simulator.sendMessage('+40733333333', 'hello')
  await hear(10_000)
  await type('+CMGR=1')
  await type('+CMGL="ALL"')
  await type(`+CMGS="${phoneNumber}"`)
  terminal.type('hello\u001a')
  await hear(20_000)
  await restart(terminal)
  await hear(30_000)
  // After a restart it echoes again.
  await type('E0')
  await type('+CPOWD=1')
  return said.filter(line => !line.startsWith('AT'))
}

const settings = [...settingNames()].map(name => name.replace(/[+^]/, '\\$&')).join('|')

/** The forms that none of our recordings shows, with their reasons. */
const unrecorded: readonly (readonly [why: string, form: RegExp])[] = [
  [
    'a final result code, or an error by its number (V.250 5.7.1, 27.007 9.2)',
    /^(OK|ERROR|\+CM[ES] ERROR: \d+)$/,
  ],
  ['the values that a setting takes (V.250 5.4.4.2.3)', /^\+[A-Z]+: \(.*\)$/],
  ['a setting, as it was set (V.250 5.4.4.2.4)', new RegExp(`^(${settings}): ("[^"]*"|\\d+)(,\\d+){0,4}$`)],
  ['27.007 8.1 and the manual: whether it is busy, and whether calls are ready', /^\+(CPAS|CCALR): \d$/],
  ['an S parameter (V.250 5.3.2)', /^\d{3}$/],
  ['AT&V in words of our own: the manual shows none', /^ACTIVE PROFILE$/],
  ['27.007 5.9 and the manual: IMSI, ICCID and capabilities', /^(\d{15}|\d{19}f|\+GCAP: \+CGSM)$/],
  ['27.007 7.1: the own number', /^\+CNUM: "","[^"]*",145,7,4$/],
  ['27.007 7.3: the operator', /^\+COPS: 0,[02],"[^"]*"$/],
  ['the manual: attempts that are left for PIN and PUK', /^\+SPIC: \d,\d,10,10$/],
  ['27.005 3.2.2: the stores of messages', /^\+CPMS: ("SM",\d+,\d+,?){3}$/],
  ['27.007 10.1.1: the contexts', /^\+CGDCONT: 1,"IP","","0\.0\.0\.0",0,0$/],
  ['the cause, as the manual words it', /^\+CEER: (No cause information available|Cause:\d+)$/],
  ['V.250 6.3: a call that comes in', /^RING$/],
  ['27.007 7.6: its number', /^\+CLIP: "[^"]*",145,"",0,"",0$/],
  [
    '27.005 3.4: a message, as text',
    /^(\+CMTI: "SM",\d|\+CMG[RL]: (\d,)?"REC (UN)?READ","[^"]*","","[^"]*"|hello)$/,
  ],
  ['27.005 3.5.1: a message that is sent', /^(> ?|\+CMGS: \d+)$/],
  ['the manual: it switches itself off', /^NORMAL POWER DOWN$/],
]

describe('every line of the simulator', async () => {
  const said = [...new Set(await allThatIsSaid())]
  const missing = said.filter(line => !recorded.has(shapeOf(line)))

  it('was sent by a real modem in that form, or has its reason', () => {
    expect(said.length).toBeGreaterThan(100)
    expect(missing.filter(line => !unrecorded.some(([, form]) => form.test(line)))).toEqual([])
  })

  it.each(unrecorded)('needs the reason: %s', (_, form) => {
    expect(missing.filter(line => form.test(line))).not.toEqual([])
  })
})
