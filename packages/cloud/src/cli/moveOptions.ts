// The command that moves the data to another database, with its options.

import type { Command } from 'commander'
import type { Options } from './commandWork.ts'
import type { Terminal } from './terminal.ts'

export function moveCommand(program: Command, terminal: Terminal): void {
  program
    .command('move')
    .description(
      'move all data from the SQLite file to an empty Postgres, or back into a new file, while nobody serves; what is left is sealed for good',
    )
    .option('--json', 'print one JSON object')
    .option('--to-file <file>', 'a file that holds postgres://USER:PASSWORD@HOST:5432/NAME')
    .option(
      '--to <address>',
      'the address itself, which others on this machine see while the command runs; or the path of a new SQLite file',
    )
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
