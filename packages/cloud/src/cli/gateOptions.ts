// The operator's commands on gates, with their options.

import { moduleBrandIds } from '@callgate/contract/call/setUpMessage'
import { type Command, Option } from 'commander'
import { externalIdFlags, externalIdSays } from './externalOptions.ts'
import { gateFields } from './gateFields.ts'
import { type AddCommand, later } from './later.ts'
import { activeOption, fileOption, inSpace, paged } from './memberOptions.ts'

const deskWork = later(async () => (await import('./gateDeskCommands.ts')).gateDeskWork)
const callerWork = later(async () => (await import('./gateCallerCommands.ts')).gateCallerWork)
const calibrateWork = later(async () => (await import('./calibrateCommands.ts')).calibrateWork)
const setUpWork = later(async () => (await import('./setUpCommands.ts')).setUpWork)
const gateWork = later(async () => (await import('./gateCommands.ts')).gateWork)

/** Adds `callgate gate setup-sms`. */
function setUpCommand(gate: Command, command: AddCommand): void {
  inSpace(
    command(
      gate,
      'setup-sms',
      "show which gateways can send a gate's module the message that lets their number in, or let one send it",
      setUpWork('setUpSms'),
    ),
  )
    .requiredOption('--gate <id>', 'the gate')
    .option('--gateway <id>', 'the gateway that sends its own number')
    .addOption(
      new Option('--brand <brand>', 'the module; its password is asked for, and is never an option').choices(
        moduleBrandIds,
      ),
    )
    .option('--place <digits>', 'the place in the list of the module, for brands that have one, such as 007')
}

/** Adds `callgate gate …`. */
export function gateCommands(program: Command, command: AddCommand): void {
  const gate = program.command('gate').description('gates: what opens when its number is called')
  const one = (name: string, summary: string, work: 'show' | 'update' | 'deactivate' | 'reactivate') =>
    inSpace(command(gate, name, summary, deskWork(work)).requiredOption('--gate <id>', 'the gate'))
  const fields = (of: Command) => {
    for (const { flags, says } of gateFields) of.option(flags, says)
    return of.option(externalIdFlags, externalIdSays).option('--file <path>', fileOption)
  }

  paged(inSpace(command(gate, 'list', 'list the gates, oldest first', deskWork('list')))).addOption(
    activeOption('only those that are, or are not'),
  )
  one('show', 'show one gate', 'show')
  fields(inSpace(command(gate, 'add', 'add a gate; its call profile is unverified', deskWork('add'))))
  fields(one('update', 'change a gate; an empty description clears it', 'update'))
  one('deactivate', 'never call a gate again; what it opened stays', 'deactivate')
  one('reactivate', "call a gate again, within the plan's limit", 'reactivate')
  inSpace(
    command(
      gate,
      'gateways',
      'list the gateways of a gate, or say whether one may call it',
      callerWork('gateways'),
    ),
  )
    .requiredOption('--gate <id>', 'the gate')
    .option('--gateway <id>', 'the gateway to say something of')
    .addOption(new Option('--may-call <answer>', 'whether it may call the gate').choices(['yes', 'no']))
    .addOption(
      new Option(
        '--number-known <answer>',
        "whether the gate's module takes calls of its number; with no, it does not call",
      ).choices(['unknown', 'yes', 'no']),
    )
  inSpace(
    command(
      gate,
      'calibrate',
      'show the calibration of a gate, or do its next step: start, three calls with what you saw after each, accept',
      calibrateWork('calibrate'),
    ),
  )
    .requiredOption('--gate <id>', 'the gate')
    .addOption(
      new Option(
        '--step <step>',
        'call makes a test call by the cloud that serves, and waits for its end',
      ).choices([...['start', 'call', 'call-hidden', 'moved', 'still', 'accept', 'end']]),
    )
    .option('--after <seconds>', 'with moved: how long after the press the gate moved')
  setUpCommand(gate, command)
  command(gate, 'profile', 'show or set how the module of a gate takes a call', gateWork('profile'))
    .requiredOption('--gate <id>', 'the gate')
    .option('--file <path>', 'JSON: {"mode": "reject"} and what differs from its defaults')
  command(
    gate,
    'refused',
    'list the gates whose number is never called today, and why',
    gateWork('refused'),
  ).option('--space <id>', 'only of this Space')
}
