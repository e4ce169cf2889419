// The operator's commands on alerts and the status, with their options.

import type { Command } from 'commander'
import { type AddCommand, later } from './later.ts'

const alertWork = later(async () => (await import('./alertCommands.ts')).alertWork)
const statusWork = later(async () => (await import('./statusCommand.ts')).statusWork)

export function watchingCommands(program: Command, command: AddCommand): void {
  command(
    program,
    'status',
    'show on one screen what serves, what it is connected to and what waits, while it serves or not; changes nothing',
    statusWork('status'),
    'readOnly',
  )
  const alerts = program.command('alerts').description('mails about what stays wrong')
  command(
    alerts,
    'mute',
    'for planned work, tell nobody by mail for an hour at most; what is wrong then is told at once',
    alertWork('mute'),
    'mustExist',
  )
    .requiredOption('--minutes <count>', 'for how long, 60 at most')
    .requiredOption('--why <text>', 'the reason, which the dashboard shows to every Space')
  command(alerts, 'unmute', 'end a mute before its time', alertWork('unmute'), 'mustExist')
}
