// The operator's command line: its commands with their options, and how one is run.

import { scopeNames } from '@callgate/contract/rest/scope'
import { closed, mailedName } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import { realWorld } from '@callgate/world/real'
import { Command, Option } from 'commander'
import { environmentHelp, readConfig } from '../config.ts'
import { planNames } from '../core/plan.ts'
import {
  type Database,
  DatabaseError,
  explained,
  fileOf,
  migrate,
  openDatabase,
} from '../database/database.ts'
import { openFound } from '../database/foundDatabase.ts'
import { backupWork, confirmRestoreWork, restoreWork, verifyWork } from './backupCommands.ts'
import { refusedWork } from './gateCommands.ts'
import { mailWork } from './mailCommands.ts'
import { countriesWork, limitsWork, planWork } from './planCommands.ts'
import {
  type FileWork,
  gateWork,
  gatewayWork,
  keyWork,
  migrateWork,
  type Options,
  spaceWork,
  type Work,
} from './works.ts'

/** The outside of the command line: where it prints, and what it reads. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  print(text: string): void
  complain(text: string): void
  /** The exit code of the process; 0 unless it is set. */
  exitWith(code: number): void
  /** Resolves with the name of the first signal to stop. */
  untilSignal(): Promise<string>
}

const checkName = checker(closed({ name: mailedName(1, 120, 'At most 120 characters') }), 'the options')

/** How long a command waits while another program writes to the database, milliseconds. */
const lockedWithinMs = 10_000

/** Does the work on the files and prints the outcome. */
async function performOnFiles(terminal: Terminal, options: Options, work: FileWork): Promise<void> {
  const fail = (message: string) => {
    terminal.complain(message)
    terminal.exitWith(1)
  }
  const read = readConfig(terminal.environment)
  if (!read.ok) return fail(read.message)
  const { config } = read
  const named = options['name'] === undefined ? undefined : checkName({ name: options['name'] })
  if (named && !named.ok) return fail(`--${named.message}.`)
  try {
    const parts = { config, world: realWorld({ logLevel: config.logLevel }) }
    const said = await work(parts, named ? { ...options, name: named.value.name } : options)
    if (!said.ok) return fail(said.message)
    if (said.exitCode) terminal.exitWith(said.exitCode)
    else if (options['quiet']) return
    terminal.print(options['json'] ? JSON.stringify(said.json) : said.text)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    fail(error.message)
  }
}

/**
 * How a command finds its data. `create`: the database is created where there is none, and migrated. `mustExist`: it must
 * exist in its newest form already. `readOnly`: the same, and nothing is written.
 */
type Data = 'create' | 'mustExist' | 'readOnly'

/** Opens the data, does the work and prints the outcome. */
function perform(terminal: Terminal, options: Options, work: Work, data: Data): Promise<void> {
  return performOnFiles(terminal, options, async (parts, given) => {
    const url = parts.config.databaseUrl
    let database: Database | undefined
    try {
      const onWait = () =>
        terminal.complain(
          `Another program writes to the database; waiting for up to ${lockedWithinMs / 1000} s.`,
        )
      const patience = { world: parts.world, withinMs: lockedWithinMs, onWait }
      if (data === 'create') {
        database = await openDatabase({ url, patience })
        await migrate(database)
      } else database = await openFound({ url, patience, ...(data === 'readOnly' && { onlyReads: true }) })
      return await work({ ...parts, database }, given)
    } catch (error) {
      throw explained(error, fileOf(url))
    } finally {
      await database?.close()
    }
  })
}

const plan = () =>
  new Option('--plan <plan>', 'what the Space may use').choices([...planNames]).makeOptionMandatory()

function serveCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('serve the API and the embedded broker until a signal comes; migrates first')
    .option('--json', 'print one JSON object once it serves')
    .addHelpText('after', `\n${environmentHelp()}`)
    .action(async ({ json }: Options) => {
      const read = readConfig(terminal.environment)
      if (!read.ok) {
        terminal.complain(read.message)
        return terminal.exitWith(1)
      }
      // Loaded here, so that the small commands start quickly.
      const { serve } = await import('./serve.ts')
      const code = await serve(read.config, terminal, served =>
        json
          ? JSON.stringify(served)
          : `Callgate serves ${served.baseUrl}; gateways connect to ${served.mqttUrl}. Ctrl-C stops it.`,
      )
      terminal.exitWith(code)
    })
}

/** Adds a command with its work below `parent`. */
type AddCommand = (parent: Command, name: string, summary: string, work: Work, data?: Data) => Command

function planCommands(program: Command, command: AddCommand): void {
  const space = program.command('space').description('Spaces: the tenants')
  command(space, 'create', 'make a Space', spaceWork.create)
    .requiredOption('--name <name>', 'what people call it')
    .addOption(plan())
    .option('--country <code>', 'for phone numbers without a country (default RO)')
    .option('--timezone <name>', 'IANA name (default Europe/Bucharest)')
  command(space, 'list', 'list all Spaces', spaceWork.list)
  command(space, 'set-plan', 'give a Space another plan', spaceWork.setPlan)
    .requiredOption('--space <id>', 'the Space')
    .addOption(plan())
  command(space, 'countries', 'show or set the countries that gates of a Space may be in', countriesWork)
    .requiredOption('--space <id>', 'the Space')
    .option('--allow <list>', 'RO,DE and so on, beside the country of the Space; usual: the usual list again')
  command(space, 'limits', 'show or set the limits that a Space has of its own', limitsWork)
    .requiredOption('--space <id>', 'the Space')
    .option('--gates <count>', "active gates at most; plan: the plan's limit again")
    .option('--invitations <count>', "new members a month at most; plan: the plan's limit again")

  command(space, 'contact', 'set whom guests can call when something fails', spaceWork.contact)
    .requiredOption('--space <id>', 'the Space')
    .option('--name <name>', 'a person or a desk')
    .option('--phone <number>', 'as guests read it')
    .option('--nobody', 'show nobody')

  const plans = program.command('plan').description('plans: what Spaces may use')
  command(plans, 'list', 'list the plans', planWork.list)
  command(plans, 'set', 'change what a plan allows, for every Space that has it', planWork.set)
    .addOption(new Option('--name <plan>', 'the plan').choices([...planNames]).makeOptionMandatory())
    .option('--gates <count>', 'active gates at most')
    .option('--invitations <count>', 'new members a month at most')
    .addOption(new Option('--api <answer>', 'whether keys work').choices(['yes', 'no']))
    .option('--trial-days <count>', 'how long a new trial lasts; only for the plan trial')
}

function keyCommands(program: Command, command: AddCommand): void {
  const key = program.command('key').description('API keys')
  command(key, 'create', 'make a key; its secret is shown once', keyWork.create)
    .requiredOption('--space <id>', 'the Space that the key belongs to')
    .requiredOption('--name <name>', 'one name for each integration')
    .requiredOption(
      '--scopes <list>',
      `${scopeNames.join(',')}; all means every scope but gates:open, which must be named`,
    )
    .option(
      '--expires <when>',
      '90d, 12h, 2027-01-31 (when that day begins in UTC) or 2027-01-31T12:00:00Z (default never)',
    )
  command(key, 'list', 'list the keys', keyWork.list).option('--space <id>', 'only of this Space')
  command(key, 'revoke', 'end a key for good', keyWork.revoke).requiredOption(
    '--key <id>',
    'the id, not the key',
  )
}

function gatewayCommands(program: Command, command: AddCommand): void {
  const gateway = program.command('gateway').description('gateways: the Pi with its modem')
  command(gateway, 'add', 'admit a gateway by its public key', gatewayWork.add)
    .requiredOption('--space <id>', 'the Space whose gates it calls')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--public-key <key>', 'as "gateway keygen" prints it')
  command(gateway, 'list', 'list the gateways', gatewayWork.list).option('--space <id>', 'only of this Space')
  command(gateway, 'revoke', 'shut a gateway out for good', gatewayWork.revoke).requiredOption(
    '--gateway <id>',
    'the gateway',
  )

  const gate = program.command('gate').description('gates')
  command(gate, 'profile', 'set how the module of a gate takes a call', gateWork.profile)
    .requiredOption('--gate <id>', 'the gate')
    .requiredOption('--file <path>', 'JSON: {"mode": "reject"} and what differs from its defaults')
  command(gate, 'refused', 'list the gates whose number is never called today, and why', refusedWork).option(
    '--space <id>',
    'only of this Space',
  )
}

function backupCommands(program: Command, terminal: Terminal, command: AddCommand): void {
  program
    .command('backup <folder>')
    .description('copy the data, also while it is served, to a new dated folder in this folder')
    .option('--json', 'print one JSON object')
    .option('--keys <folder>', 'where the keys go: another place, never beside the data')
    .option('--without-keys', 'leave the keys out')
    .action((folder: string, options: Options) =>
      performOnFiles(terminal, { ...options, folder }, backupWork),
    )
  program
    .command('restore <folder>')
    .description(
      'restore a dated folder of a backup, while nobody serves; guests and keys stay shut until confirm-restore',
    )
    .option('--json', 'print one JSON object')
    .option(
      '--keys <folder>',
      'the dated folder with the keys; without it, the keys in the data folder are used',
    )
    .option('--replace', 'move existing data aside')
    .action((folder: string, options: Options) =>
      performOnFiles(terminal, { ...options, folder }, restoreWork),
    )
  command(
    program,
    'confirm-restore',
    'after a restore, let guests and keys in again',
    confirmRestoreWork,
    'mustExist',
  )
  command(
    program,
    'verify',
    'check all of the data, also while it is served; ends with 1 when anything is wrong',
    verifyWork,
    'readOnly',
  ).option('--quiet', 'print nothing when nothing is wrong')
}

function mailCommands(program: Command, command: AddCommand): void {
  const mail = program.command('mail').description('mails: who sent what, and what was not sent')
  command(mail, 'list', 'list the newest mails that wait or were given up, and why', mailWork.list).option(
    '--space <id>',
    'only to members of this Space',
  )
  command(mail, 'log', 'list mails of 30 days: who sent what to whom, and its state', mailWork.log).option(
    '--space <id>',
    'only of this Space',
  )
  command(mail, 'retry', 'send a mail again, as if it were new', mailWork.retry).requiredOption(
    '--id <mail>',
    'the mail',
  )
}

/** The program `callgate`, to be given its arguments with `parseAsync`. */
export function operatorProgram(terminal: Terminal): Command {
  const program = new Command('callgate')
    .description(
      'Runs and administers the cloud. Every command but serve and restore may run beside a running serve on the same data.',
    )
    .addHelpText('after', `\n${environmentHelp()}`)
    .configureOutput({
      writeOut: text => terminal.print(text.trimEnd()),
      writeErr: text => terminal.complain(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows what can be given)')

  const command: AddCommand = (parent, name, summary, work, data = 'create') =>
    parent
      .command(name)
      .description(summary)
      .option('--json', 'print one JSON object')
      .action((options: Options) => perform(terminal, options, work, data))

  serveCommand(program, terminal)
  command(
    program,
    'migrate',
    'bring the tables to their newest form; every command does so first, except backup, restore, verify and confirm-restore',
    migrateWork,
  )

  planCommands(program, command)
  keyCommands(program, command)
  gatewayCommands(program, command)
  mailCommands(program, command)
  backupCommands(program, terminal, command)
  return program
}
