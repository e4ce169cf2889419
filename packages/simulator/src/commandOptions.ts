// The command line's options: what a developer may request, read from the arguments and checked.

import { fullVersion } from '@callgate/world/version'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { modelNames, models } from './core/model.ts'
import { farEnds } from './farEnds.ts'
import { modemFaults, smsFaults, ussdFaults } from './modemFaults.ts'
import {
  allPresetNames,
  codeOf,
  farEndNames,
  isFarEndName,
  isFaultName,
  isPresetName,
  type ModemFaultName,
  type PresetName,
  presetNames,
} from './presets.ts'
import type { Scenario } from './scenario.ts'
import type { SimulatedGate } from './simulatedGates.ts'

type SetUpName = 'seed' | 'network' | 'model' | 'baud' | 'split' | 'codes' | 'registered' | 'number'

/** The options on the command line; the rest comes from the scenario, then from `defaults`. */
export interface SimulatorCommand extends Pick<Scenario, SetUpName> {
  readonly link?: string
  /** The path of the log file. */
  readonly log?: string
  /** The path of a scenario file, for `setUpOf`. */
  readonly scenario?: string
  readonly preset?: readonly PresetName[]
  readonly gate?: readonly SimulatedGate[]
  readonly controlPort: number
  readonly json: boolean
}

/** Used where neither the command line nor the scenario sets a value. */
const defaults: Required<Pick<Scenario, SetUpName>> = {
  seed: 1,
  network: 'normal',
  model: 'sim800',
  baud: 115_200,
  split: false,
  codes: false,
  registered: false,
  number: '+40711111111',
}

export type CommandResult =
  | { readonly ok: true; readonly command: SimulatorCommand }
  /** Help, or a mistake: the output and the exit code. */
  | { readonly ok: false; readonly exitCode: number; readonly text: string }

function listed(
  presets: Readonly<Record<string, { readonly summary: string }>>,
  code: (name: string) => string = () => '',
): string {
  return Object.entries(presets)
    .map(([name, { summary }]) => `  ${`${code(name)}${name}`.padEnd(39)}${summary}`)
    .join('\n')
}

const coded = new Map(presetNames.map(name => [String(name), codeOf(name)]))
const withCode = (name: string) => `${coded.get(name)} `

const furtherHelp = `
Far ends, for a gate (with --codes, a dialled number may end in the three digits):
${listed(farEnds, withCode)}

Faults, for the modem:
${listed(modemFaults, withCode)}

Faults of USSD codes and messages, without digits of their own:
${listed({ ...ussdFaults, ...smsFaults })}

Models, for --model:
${listed(models)}

Examples:
  A modem whose calls are all rejected by a gate that opens; any terminal program may open the port and type AT:
    simulator --link ./modem-tty --seed 1 --preset reject_busy --registered
    picocom ./modem-tty
  Two gates on a quick network, and what truly happened:
    simulator --link ./modem-tty --gate +40722000001=reject_busy --gate +40722000002=ring_forever \\
      --network fast --control-port 4100 --registered
    curl http://127.0.0.1:4100/state
  Another fault, while it runs:
    curl http://127.0.0.1:4100/preset -d '{"preset": "late_ok"}'
  What a file describes:
    simulator --link ./modem-tty --scenario packages/simulator/docs/brownout.json
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

function addPreset(text: string, before: readonly PresetName[] = []): readonly PresetName[] {
  if (!isPresetName(text)) throw new InvalidArgumentError(`It must be one of ${allPresetNames.join(', ')}.`)
  return [...before, text]
}

function addGate(text: string, before: readonly SimulatedGate[] = []): readonly SimulatedGate[] {
  const [number = '', farEnd = ''] = text.split('=')
  if (!isFarEndName(farEnd))
    throw new InvalidArgumentError(`After the = comes one of ${farEndNames.join(', ')}.`)
  if (before.some(gate => gate.phoneNumber === number))
    throw new InvalidArgumentError('There is a gate of that number already.')
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
    .option('--log <path>', 'appends lines on the wire, calls and violations to a file, as JSON lines')
    .option(
      '--scenario <path>',
      'a JSON file with all that follows and what happens when (docs/scenarios.md)',
    )
    .option('--seed <number>', 'everything random follows from it (1)', wholeNumber(0, 2 ** 32 - 1))
    .option('--preset <name>', 'a far end for every number, or a fault; may be repeated', addPreset)
    .option('--gate <number=farEnd>', 'a gate and what it does; may be repeated', addGate)
    .addOption(new Option('--network <name>', 'how long things take (normal)').choices(['normal', 'fast']))
    .addOption(new Option('--model <name>', 'the kind of modem (sim800)').choices(modelNames))
    .option('--baud <rate>', 'paces what the modem sends (115200)', wholeNumber(300, 4_000_000))
    .option('--split', 'what the modem sends arrives in pieces of random length')
    .option('--codes', 'the last three digits of a number that is no gate choose a preset')
    .option('--control-port <port>', 'HTTP on 127.0.0.1; 0: any free one', wholeNumber(0, 65_535), 0)
    .option('--number <number>', 'the number of the modem’s own SIM (+40711111111)', phoneNumber)
    .option('--registered', 'start on the network at once instead of booting')
    .option('--json', 'print one JSON line {link, pts, controlUrl} when ready', false)
    .addHelpText('after', furtherHelp)
    .version(fullVersion)
    .allowExcessArguments(true)
    .configureOutput({ writeOut: collect, writeErr: collect })
    .exitOverride()
  try {
    command.parse([...args], { from: 'user' })
    const [word] = command.args
    if (word !== undefined)
      command.error(
        `error: unknown command '${word}'. The simulator has options alone, and runs with none; --help lists them.`,
      )
  } catch (error) {
    if (error instanceof CommanderError) return { ok: false, exitCode: error.exitCode, text }
    throw error
  }
  return { ok: true, command: command.opts<SimulatorCommand>() }
}

/** The set-up: values from the command line, else from the scenario, else the defaults. Gates and faults of both count. */
export function setUpOf(given: SimulatorCommand, scenario: Scenario) {
  const set: typeof defaults = { ...defaults, ...scenario, ...given }
  const presets = given.preset ?? []
  const preset = presets.findLast(isFarEndName) ?? scenario.preset
  const faults: readonly ModemFaultName[] = [...(scenario.faults ?? []), ...presets.filter(isFaultName)]
  return {
    seed: set.seed,
    network: set.network,
    model: set.model,
    registered: set.registered,
    number: set.number,
    baudRate: set.baud,
    splits: set.split,
    codes: set.codes,
    gates: [...(scenario.gates ?? []), ...(given.gate ?? [])],
    faults,
    ...(preset === undefined ? {} : { preset }),
  }
}
