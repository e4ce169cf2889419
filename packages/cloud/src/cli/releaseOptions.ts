// The commands for releases of the gateway, with their options.

import type { Command } from 'commander'
import type { CommandWork, FileWork, Options } from './commandWork.ts'
import { type AddCommand, later } from './later.ts'

interface Perform {
  onFiles(options: Options, work: FileWork): Promise<void>
  onData(options: Options, work: CommandWork): Promise<void>
}

const fileWork = later(async () => (await import('./releaseCommands.ts')).releaseFileWork)
const work = later(async () => (await import('./releaseCommands.ts')).releaseWork)

export function releaseCommands(program: Command, command: AddCommand, perform: Perform): void {
  const release = program
    .command('release')
    .description('signed releases of the gateway: which gateways fetch, and who is offered them')
  release
    .command('add <file>')
    .description('publish a release that was signed by "release:pi sign"')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => perform.onFiles({ ...options, file }, fileWork('add')))
  command(release, 'list', 'list the releases that are published, and to whom they are offered', work('list'))
  release
    .command('stage <version>')
    .description(
      'offer a version to some Spaces; what is said replaces what was said before. It halts by itself where a gateway takes it back',
    )
    .option('--spaces <ids>', 'to these, one or several with commas')
    .option('--percent <number>', 'to this share of all Spaces; more percent only add Spaces')
    .option('--all', 'to all Spaces')
    .option('--notes <text>', 'what is new, for the owners')
    .option('--resume', 'also where it was halted')
    .option('--json', 'print one JSON object')
    .action((version: string, options: Options) => perform.onData({ ...options, version }, work('stage')))
  release
    .command('withdraw <version>')
    .description('publish a version no more')
    .option('--json', 'print one JSON object')
    .action((version: string, options: Options) => perform.onData({ ...options, version }, work('withdraw')))
}
