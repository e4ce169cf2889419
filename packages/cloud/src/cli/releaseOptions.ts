// The commands for releases of the gateway, with their options.

import type { Command } from 'commander'
import { later } from './later.ts'
import type { FileWork, Options } from './works.ts'

type Perform = (options: Options, work: FileWork) => Promise<void>

const work = later(async () => (await import('./releaseCommands.ts')).releaseWork)

export function releaseCommands(program: Command, perform: Perform): void {
  const release = program
    .command('release')
    .description('signed releases of the gateway, which gateways fetch')
  release
    .command('add <file>')
    .description('publish a release that was signed by "release:pi sign"')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => perform({ ...options, file }, work('add')))
  release
    .command('list')
    .description('list the releases that are published')
    .option('--json', 'print one JSON object')
    .action((options: Options) => perform(options, work('list')))
  release
    .command('withdraw <version>')
    .description('publish a version no more')
    .option('--json', 'print one JSON object')
    .action((version: string, options: Options) => perform({ ...options, version }, work('withdraw')))
}
