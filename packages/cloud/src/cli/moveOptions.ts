// The command that moves the data to Postgres, with its options.

import type { Command } from 'commander'
import type { Options } from './commandWork.ts'
import type { Terminal } from './terminal.ts'

export function moveCommand(program: Command, terminal: Terminal): void {
  program
    .command('move')
    .description(
      'move all data from the SQLite file to an empty Postgres database, while nobody serves; the file is sealed at the end, for good',
    )
    .option('--json', 'print one JSON object')
    .option('--to-file <file>', 'a file that holds postgres://USER:PASSWORD@HOST:5432/NAME')
    .option('--to <address>', 'the address itself; others on this machine see it while the command runs')
    .action(async (options: Options) => {
      const [{ performOnFiles }, { moveWork }] = await Promise.all([
        import('./perform.ts'),
        import('./moveCommand.ts'),
      ])
      await performOnFiles(
        terminal,
        options,
        moveWork(text => terminal.complain(text)),
      )
    })
}
