// The command line's options: what a developer may ask for, read from the arguments and checked.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { NetworkName } from './core/latency.ts'
import { farEnds, isFarEndName, isPresetName, modemFaults, type PresetName, presetNames } from './presets.ts'
import type { SimulatedGate } from './simulator.ts'

export interface SimulatorCommand {
  readonly link?: string
  readonly seed: number
  readonly preset?: PresetName
  readonly gate: readonly SimulatedGate[]
  readonly network: NetworkName
  readonly baud: number
  readonly controlPort: number
  readonly number: string
  readonly registered: boolean
  readonly json: boolean
}

export type CommandResult =
  | { readonly ok: true; readonly command: SimulatorCommand }
  /** Help, or a mistake: what to print and how to exit. */
  | { readonly ok: false; readonly exitCode: number; readonly text: string }

function listed(presets: Readonly<Record<string, { readonly summary: string }>>): string {
  return Object.entries(presets)
    .map(([name, { summary }]) => `  ${name.padEnd(30)}${summary}`)
    .join('\n')
}

const furtherHelp = `
Far ends, for a gate:
${listed(farEnds)}

Faults, for the modem:
${listed(modemFaults)}

Examples:
  A modem whose calls are all rejected by a gate that opens; any terminal program may open the port and type AT:
    pnpm simulator --link ./modem-tty --seed 1 --preset reject_busy --registered
    picocom ./modem-tty
  Two gates on a quick network, and what truly happened:
    pnpm simulator --link ./modem-tty --gate +40722000001=reject_busy --gate +40722000002=ring_forever \\
      --network fast --control-port 4100 --registered
    curl http://127.0.0.1:4100/state
  Another fault, while it runs:
    curl http://127.0.0.1:4100/preset -d '{"preset": "late_ok"}'
`

const wholeNumber = (low: number, high: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
  return value
}

function phoneNumber(text: string): string {
  if (!/^\+[1-9]\d{6,14}$/.test(text)) throw new InvalidArgumentError('It must be like +40722000001.')
  return text
}

function preset(text: string): PresetName {
  if (!isPresetName(text)) throw new InvalidArgumentError(`It must be one of ${presetNames().join(', ')}.`)
  return text
}

function addGate(text: string, before: readonly SimulatedGate[]): readonly SimulatedGate[] {
  const [number = '', farEnd = ''] = text.split('=')
  if (!isFarEndName(farEnd))
    throw new InvalidArgumentError(`After the = comes one of ${Object.keys(farEnds).join(', ')}.`)
  return [...before, { phoneNumber: phoneNumber(number), farEnd }]
}

/** Reads the arguments that follow the program's name. */
export function readCommand(args: readonly string[]): CommandResult {
  let text = ''
  const collect = (part: string) => {
    text += part
  }
  const command = new Command('simulator')
    .description('A pretend SIM800 on a virtual serial port, with a network and gates that count behind it.')
    .option('--link <path>', 'a symlink to the serial port, removed on exit')
    .option('--seed <number>', 'everything random follows from it', wholeNumber(0, 2 ** 32 - 1), 1)
    .option('--preset <name>', 'a far end for every number, or a fault of the modem', preset)
    .option('--gate <number=farEnd>', 'a gate and what it does; may be repeated', addGate, [])
    .addOption(
      new Option('--network <name>', 'how long things take').choices(['normal', 'fast']).default('normal'),
    )
    .option('--baud <rate>', 'paces what the modem sends', wholeNumber(300, 4_000_000), 115_200)
    .option('--control-port <port>', 'HTTP on 127.0.0.1; 0: any free one', wholeNumber(0, 65_535), 0)
    .option('--number <number>', 'the number of the modem’s own SIM', phoneNumber, '+40711111111')
    .option('--registered', 'start on the network at once instead of booting', false)
    .option('--json', 'print one JSON line {link, pts, controlUrl} when ready', false)
    .addHelpText('after', furtherHelp)
    .allowExcessArguments(false)
    .configureOutput({ writeOut: collect, writeErr: collect })
    .exitOverride()
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return { ok: false, exitCode: error.exitCode, text }
    throw error
  }
  return { ok: true, command: command.opts<SimulatorCommand>() }
}
