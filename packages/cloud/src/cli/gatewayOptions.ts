// The operator's commands on gateways, with their options.

import type { Command } from 'commander'
import type { CommandWork } from './commandWork.ts'
import { type AddCommand, later } from './later.ts'
import { inSpace, ofSpace } from './memberOptions.ts'

const gatewayWork = later(async () => (await import('./gatewayCommands.ts')).gatewayWork)
const simWork = later(async () => (await import('./simCommands.ts')).simWork)
const updateWork = later(async () => (await import('./updateCommands.ts')).updateWork)
const enrolmentWork = later(async () => (await import('./enrolmentCommands.ts')).enrolmentWork)

/** Adds a gateway by its public key where that is given, otherwise by a one-time code. */
const add: CommandWork = (parts, options) =>
  (options['publicKey'] === undefined ? enrolmentWork('start') : ofSpace(gatewayWork('add')))(parts, options)

/** Adds `callgate gateway …`. */
export function gatewayCommands(program: Command, command: AddCommand): void {
  const gateway = program.command('gateway').description('gateways: the Pi with its modem')
  inSpace(command(gateway, 'add', 'make a one-time code for a gateway; or admit one by its public key', add))
    .requiredOption('--name <name>', 'what people call it')
    .option('--card <file>', 'write the code, which lasts 24 hours then, into a file for the boot partition')
    .option('--replaces <id>', 'the gateway that is revoked when the new one is confirmed')
    .option('--public-key <key>', 'as "gateway keygen" prints it: admits the gateway at once, without a code')
  const enrolment = (name: string, summary: string, work: 'confirm' | 'refuse') =>
    inSpace(command(gateway, name, summary, enrolmentWork(work))).requiredOption(
      '--enrolment <id>',
      'as "gateway enrolments" lists it',
    )
  inSpace(
    command(
      gateway,
      'enrolments',
      'list the codes that wait for a gateway, and the gateways that wait to be confirmed',
      enrolmentWork('list'),
    ),
  )
  enrolment('confirm', 'admit a gateway that has taken a code', 'confirm').requiredOption(
    '--fingerprint <digits>',
    'the six digits that the gateway shows',
  )
  enrolment('refuse', 'take a code back, or refuse the gateway that has taken it', 'refuse')
  command(gateway, 'list', 'list the gateways', gatewayWork('list')).option(
    '--space <id>',
    'only of this Space',
  )
  command(
    gateway,
    'password',
    'give a gateway a new password at the broker, where it has leaked or is lost; the old one counts no more',
    gatewayWork('password'),
  ).requiredOption('--gateway <id>', 'the gateway')
  inSpace(
    command(
      gateway,
      'sim',
      'show the balance of the SIM card of a gateway, or ask its network now',
      simWork('sim'),
    ),
  )
    .requiredOption('--gateway <id>', 'the gateway')
    .option('--ask', 'ask the network now, and wait for its answer')
    .option('--code <code>', 'what is asked once a day, such as *100#; an empty one ends that')
    .option('--warn-below <amount>', 'warn when less is left; an empty one ends that')
    .option('--expires-on <day>', 'the last day of the card, such as 2026-12-31; an empty one clears it')
  inSpace(
    command(
      gateway,
      'update',
      'show which update a gateway is offered and how the last one ended, or allow it',
      updateWork('gateway'),
    ),
  )
    .requiredOption('--gateway <id>', 'the gateway')
    .option('--allow <version>', 'let it install this version, which is offered to its Space; once')
    .option('--disallow', 'take that back, where it was not asked yet')
  command(gateway, 'revoke', 'shut a gateway out for good', gatewayWork('revoke')).requiredOption(
    '--gateway <id>',
    'the gateway',
  )
}
