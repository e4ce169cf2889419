// The operator's command line: its commands with their options, and how one is run.

import { scopeNames } from '@callgate/contract/rest/scope'
import { fullVersion } from '@callgate/world/version'
import { Command, CommanderError } from 'commander'
import { readConfig } from '../config.ts'
import { environmentHelp } from '../configVariables.ts'
import type { CommandWork, FileWork, Options } from './commandWork.ts'
import { gateCommands } from './gateOptions.ts'
import { gatewayCommands } from './gatewayOptions.ts'
import { historyCommands } from './historyOptions.ts'
import { installCommands } from './installOptions.ts'
import { type AddCommand, later } from './later.ts'
import { accessCommands, inSpace, memberCommands, ofSpace } from './memberOptions.ts'
import { moveCommand } from './moveOptions.ts'
import type { Data } from './perform.ts'
import { releaseCommands } from './releaseOptions.ts'
import { sealingKeyCommands } from './sealingKeyOptions.ts'
import { signingKeyCommands } from './signingKeyOptions.ts'
import { spaceCommands } from './spaceOptions.ts'
import type { Terminal } from './terminal.ts'
import { userCommands } from './userOptions.ts'
import { watchingCommands } from './watchingOptions.ts'
import { webhookCommands } from './webhookOptions.ts'

const performOnFiles = async (terminal: Terminal, options: Options, work: FileWork) =>
  (await import('./perform.ts')).performOnFiles(terminal, options, work)
const perform = async (terminal: Terminal, options: Options, work: CommandWork, data: Data) =>
  (await import('./perform.ts')).perform(terminal, options, work, data)

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
      const { serve } = await import('./serve.ts')
      const code = await serve(read.config, terminal, served =>
        json
          ? JSON.stringify(served)
          : `Callgate serves ${served.baseUrl}; gateways connect to ${served.mqttUrl}. Ctrl-C stops it.`,
      )
      terminal.end(code)
    })
}

function doctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'look at everything that the cloud needs, while it serves or not, and change nothing; ends with 1 when anything is wrong',
    )
    .option('--json', 'print one JSON object')
    .option(
      '--backups <folder>',
      'where the dated folders of backups are; without it, where the last one was made',
    )
    .action(async (options: Options) => (await import('./doctorCommand.ts')).doctor(terminal, options))
}

const keyWork = later(async () => (await import('./keyCommands.ts')).keyWork)
const brokerWork = later(async () => (await import('./brokerCommands.ts')).brokerWork)
const mailWork = later(async () => (await import('./mailCommands.ts')).mailWork)
const timezoneWork = later(async () => (await import('./timezoneCommands.ts')).timezoneWork)
const dataWork = later(async () => (await import('./backupCommands.ts')).dataWork)
const proofWork = later(async () => (await import('./proofCommands.ts')).proofWork)
const backupWork = later(async () => (await import('./backupCommands.ts')).backupWork)

const migrateWork: CommandWork = async () => ({
  ok: true,
  json: { isMigrated: true },
  text: 'The tables are in their newest form.',
})

function keyCommands(program: Command, command: AddCommand): void {
  const key = program.command('key').description('API keys')
  inSpace(command(key, 'create', 'make a key; its secret is shown once', ofSpace(keyWork('create'))))
    .requiredOption('--name <name>', 'one name for each integration')
    .requiredOption(
      '--scopes <list>',
      `${scopeNames.join(',')}; all means every scope but gates:open, which must be named`,
    )
    .option(
      '--gates <list>',
      'ids of the gates that it is limited to, with no scopes of members (default all)',
    )
    .option(
      '--expires <when>',
      '90d, 12h, 2027-01-31 (when that day begins in UTC) or 2027-01-31T12:00:00Z (default never)',
    )
  command(key, 'list', 'list the keys', keyWork('list')).option('--space <id>', 'only of this Space')
  command(key, 'revoke', 'end a key for good', keyWork('revoke')).requiredOption(
    '--key <id>',
    'the id, not the key',
  )
}

function backupCommands(program: Command, terminal: Terminal, command: AddCommand): void {
  program
    .command('backup <folder>')
    .description('copy the data, also while it is served, to a new dated folder in this folder')
    .option('--json', 'print one JSON object')
    .option('--keys <folder>', 'where the keys go: another place, never beside the data')
    .option('--without-keys', 'leave the keys out')
    .option(
      '--keep <count>',
      'check this backup as verify does, and then remove older ones from the same folders, until so many are left',
    )
    .action((folder: string, options: Options) =>
      performOnFiles(terminal, { ...options, folder }, backupWork('backup')),
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
    .option(
      '--drill',
      'only try it, also while it is served: restore into a folder of its own, verify that, and remove it; ends with 1 when anything is wrong',
    )
    .action((folder: string, options: Options) =>
      performOnFiles(terminal, { ...options, folder }, backupWork('restore')),
    )
  moveCommand(program, terminal)
  command(
    program,
    'restored',
    'say that other programs have restored this data, such as pg_restore; as restore does, before anybody serves',
    dataWork('restored'),
    'mustExist',
  ).option('--yes', 'do it')
  command(
    program,
    'confirm-restore',
    'after a restore, let guests and keys in again',
    dataWork('confirmRestore'),
    'mustExist',
  )
  command(
    program,
    'verify',
    'check all of the data, also while it is served; ends with 1 when anything is wrong',
    dataWork('verify'),
    'readOnly',
  ).option('--quiet', 'print nothing when nothing is wrong')
  const timezones = 'show the rules of the time zones; ends with 1 when they are older than a year'
  command(program, 'timezones', timezones, timezoneWork('show'), 'readOnly')
}

function proofCommands(program: Command, terminal: Terminal): void {
  const proof = program.command('proof').description('proofs of openings, as the dashboard gives them')
  proof
    .command('verify <file>')
    .description('check a proof, without the cloud and its data; ends with 1 when it does not hold')
    .option('--json', 'print one JSON object')
    .option('--cloud-key <key>', 'the public key of the cloud that must have signed it')
    .action((file: string, options: Options) =>
      performOnFiles(terminal, { ...options, file }, proofWork('verify')),
    )
}

function brokerCommands(program: Command, terminal: Terminal): void {
  program
    .command('broker')
    .description('a Mosquitto of your own')
    .command('setup')
    .description(
      "write the first accounts of its dynamic security, and what the cloud connects with; with MQTT_ADMIN_URL set, that account's and the cloud's again",
    )
    .option('--json', 'print one JSON object')
    .option('--host <host>', 'where gateways reach it, with its port where that is not 8883')
    .option('--to <folder>', 'where the files go (default: this folder)')
    .action((options: Options) => performOnFiles(terminal, options, brokerWork('setup')))
}

function mailCommands(program: Command, command: AddCommand): void {
  const mail = program.command('mail').description('mails: who sent what, and what was not sent')
  command(mail, 'list', 'list the newest mails that wait or were given up, and why', mailWork('list')).option(
    '--space <id>',
    'only to members of this Space',
  )
  command(mail, 'log', 'list mails of 30 days: who sent what to whom, and its state', mailWork('log')).option(
    '--space <id>',
    'only of this Space',
  )
  command(mail, 'retry', 'send a mail again, as if it were new', mailWork('retry')).requiredOption(
    '--id <mail>',
    'the mail',
  )
}

/** Whether a word of `args` is an unknown command. */
function isMistyped(program: Command, args: readonly string[]): boolean {
  let group = program
  for (const word of args.filter(arg => arg !== 'help' && !arg.startsWith('-'))) {
    if (group.commands.length === 0) return false
    const found = group.commands.find(command => command.name() === word)
    if (!found) return true
    group = found
  }
  return false
}

/** The program `callgate` without its arguments. */
function operatorProgram(terminal: Terminal): Command {
  const program = new Command('callgate')
    .description(
      'Runs and administers the cloud. Every command but serve, restore (without --drill), move and restored may run beside a running serve on the same data.',
    )
    .version(fullVersion)
    .addHelpText('after', `\n${environmentHelp()}`)
    .configureOutput({
      writeOut: text => terminal.print(text.trimEnd()),
      writeErr: text => terminal.complain(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows what can be given)')
    .exitOverride()

  const command: AddCommand = (parent, name, summary, work, data = 'create') =>
    parent
      .command(name)
      .description(summary)
      .option('--json', 'print one JSON object')
      .action((options: Options) => perform(terminal, options, work, data))

  serveCommand(program, terminal)
  doctorCommand(program, terminal)
  watchingCommands(program, command)
  command(
    program,
    'migrate',
    'bring the tables to their newest form; every command does so first, except backup, restore, move, restored, verify, timezones, doctor, status, alerts and confirm-restore',
    migrateWork,
  )

  spaceCommands(program, command)
  keyCommands(program, command)
  userCommands(program, command)
  gatewayCommands(program, command)
  brokerCommands(program, terminal)
  gateCommands(program, command)
  memberCommands(program, command)
  accessCommands(program, command)
  historyCommands(program, command)
  mailCommands(program, command)
  webhookCommands(program, command)
  backupCommands(program, terminal, command)
  sealingKeyCommands(program, command)
  signingKeyCommands(program, command)
  proofCommands(program, terminal)
  releaseCommands(program, command, {
    onFiles: (options, work) => performOnFiles(terminal, options, work),
    onData: (options, work) => perform(terminal, options, work, 'create'),
  })
  installCommands(program, terminal)
  for (const group of [program, ...program.commands]) {
    const names = group.commands.map(each => each.name()).join(', ')
    if (names) group.showHelpAfterError(`(The commands are ${names}. --help says more.)`)
  }
  return program
}

/** Runs the program `callgate`. A mistyped command is reported, whether or not help is requested. */
export async function runOperator(terminal: Terminal, args: readonly string[]): Promise<void> {
  const program = operatorProgram(terminal)
  const isHelp = (arg: string) => ['help', '--help', '-h'].includes(arg)
  const given = isMistyped(program, args) ? args.filter(arg => !isHelp(arg)) : args
  try {
    await program.parseAsync(given, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    terminal.exitWith(error.exitCode)
  }
}
