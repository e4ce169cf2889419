// The commands that set up an installed cloud, with their options.

import type { Command } from 'commander'
import type { Options } from './commandWork.ts'
import { later } from './later.ts'
import type { Terminal } from './terminal.ts'

const readableWork = later(async () => (await import('./readableCommand.ts')).readableWork)
const shareWork = later(async () => (await import('./shareCommand.ts')).shareWork)

/** Adds `callgate setup`, `callgate share` and `callgate readable-by`. */
export function installCommands(program: Command, terminal: Terminal): void {
  program
    .command('setup')
    .description(
      'set up this machine: asks what no option says, tries each answer at once, writes the settings, makes the first owner and starts the cloud; can be run again',
    )
    .option('--json', 'print one JSON object at the end')
    .option('--address <name>', 'the address that people open, such as gates.example.com')
    .option('--proxy <address>', 'where the proxy is, if on another machine; the API then listens for it')
    .option('--database <where>', 'sqlite, or postgres://USER@HOST:5432/NAME')
    .option('--broker <where>', 'embedded, or mqtts://USER@HOST')
    .option('--certificate <file>', 'of the embedded broker, PEM, copied again when it is renewed; or none')
    .option('--certificate-key <file>', 'its key')
    .option('--broker-admin <user>', 'the account of that broker that may add gateways; or none')
    .option('--broker-ca <file>', 'the authority of its certificate, PEM; or none for a public one')
    .option('--mail <server>', 'a host, smtp://HOST:587, or none to keep mails as files')
    .option('--mail-user <user>', 'its user')
    .option('--mail-from <sender>', 'an address, or Name <address>')
    .option('--settings <file>', 'variables to take over, one NAME=VALUE a line; they may hold passwords')
    .option('--join <file>', 'take everything from this file, which "callgate share" has written elsewhere')
    .option('--space <name>', 'the first Space; none makes neither Space nor owner')
    .option('--owner-email <address>', 'its owner')
    .option('--owner-name <name>', 'how the owner is called')
    .option('--country <code>', 'of the Space, ISO 3166', 'RO')
    .option('--timezone <name>', 'of the Space, IANA', 'Europe/Bucharest')
    .action(async (options: Options) => (await import('./installCommand.ts')).install(terminal, options))
  program
    .command('share <file>')
    .description(
      'write a new file with the settings and keys that another machine joins with ("callgate setup --join"); it is sealed by a passphrase, which is printed once',
    )
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const { performOnFiles } = await import('./perform.ts')
      await performOnFiles(terminal, { ...options, file }, (parts, given) =>
        shareWork('share')({ ...parts, environment: terminal.environment }, given),
      )
    })
  program
    .command('readable-by <migration>')
    .description(
      'say whether an older program, whose newest migration is this one, can work with the data; ends with 3 when it cannot, and changes nothing',
    )
    .option('--json', 'print one JSON object')
    .action(async (migration: string, options: Options) => {
      const { performOnFiles } = await import('./perform.ts')
      await performOnFiles(terminal, { ...options, migration }, readableWork('readableBy'))
    })
}
