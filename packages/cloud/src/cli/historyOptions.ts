// The operator's commands on openings and on the activity, with their options.

import type { Command } from 'commander'
import { type AddCommand, later } from './later.ts'
import { inSpace, paged } from './memberOptions.ts'

const historyWork = later(async () => (await import('./historyCommands.ts')).historyWork)

const filtered = (command: Command) =>
  paged(inSpace(command))
    .option('--gate <id>', 'only of this gate')
    .option('--member <id>', 'only of this member')
    .option('--from <time>', 'from this instant on: 2027-01-31T08:00:00Z')
    .option('--to <time>', 'before this instant')

/** Adds `callgate opening …` and `callgate activity …`. */
export function historyCommands(program: Command, command: AddCommand): void {
  const opening = program
    .command('opening')
    .description('openings: every attempt to open a gate')
    .addHelpText(
      'after',
      '\nNo command opens a gate. Press by HTTP with a key that has the scope gates:open:\n  POST /api/v1/gates/GATE/open',
    )
  filtered(command(opening, 'list', 'list the openings, newest first', historyWork('openings'))).option(
    '--status <status>',
    'initiated, connected, completed, failed or timeout',
  )
  inSpace(
    command(opening, 'show', 'show one opening with its evidence', historyWork('opening')).requiredOption(
      '--opening <id>',
      'the opening',
    ),
  )
  const activity = program.command('activity').description('activity: what admins, keys and the operator did')
  filtered(
    command(activity, 'list', 'list the administrative actions, newest first', historyWork('activity')),
  )
}
