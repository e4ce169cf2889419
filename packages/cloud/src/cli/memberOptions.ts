// The operator's commands on members and their accesses, with their options.

import { type Command, Option } from 'commander'
import type { CommandWork } from './commandWork.ts'
import { externalIdFlags, externalIdSays } from './externalOptions.ts'
import { type AddCommand, later } from './later.ts'

const memberWork = later(async () => (await import('./memberCommands.ts')).memberWork)
const personalDataWork = later(async () => (await import('./personalDataCommands.ts')).personalDataWork)
const accessWork = later(async () => (await import('./memberCommands.ts')).accessWork)

/** `--space`, which is needed only where there are several Spaces. */
export const inSpace = (command: Command) =>
  command.option('--space <id>', 'the Space; not needed while there is only one')

/** The same command with the id of its Space: that of `--space`, or the only one. */
export const ofSpace =
  (work: CommandWork): CommandWork =>
  async (parts, options) =>
    (await import('./operator.ts')).workInSpace(parts, options, work)

export const paged = (command: Command) =>
  command
    .option('--limit <count>', 'at most this many')
    .option('--cursor <text>', 'go on where a page ended: its nextCursor')

/** `--active`, where it can be set or be a filter. */
export const activeOption = (says: string) => new Option('--active <answer>', says).choices(['yes', 'no'])

export const fileOption = 'the whole body as JSON, as the REST API takes it; instead of the other options'

const whenOptions = (command: Command) =>
  command
    .option(
      '--when <days>',
      'always, weekdays, weekends, daily, or days such as mon,tue,sat (default always)',
    )
    .option('--hours <list>', '08:00-18:00, or several: 08:00-12:00,22:00-06:00')
    .option('--from <time>', 'nothing is allowed before: 2027-01-31T08:00')
    .option('--until <time>', 'nothing is allowed from then on')
    .option('--timezone <name>', "of hours and times, as an IANA name (default: the Space's)")
    .option('--max-usage <count>', 'how many calls at most; none: no cap (default none)')

/** Adds `callgate member …`. */
export function memberCommands(program: Command, command: AddCommand): void {
  const member = program
    .command('member')
    .description(
      'members: the people with a magic link. Output has no links, except where a link is asked for',
    )
  const one = (name: string, summary: string, work: Parameters<typeof memberWork>[0]) =>
    inSpace(command(member, name, summary, memberWork(work)).requiredOption('--member <id>', 'the member'))

  paged(inSpace(command(member, 'list', 'list the members, oldest first', memberWork('list'))))
    .addOption(activeOption('only those who are, or are not'))
    .option(externalIdFlags, 'only who is called so by another program')
    .option('--email <address>', 'only who has this address')
  paged(
    inSpace(command(member, 'find', 'find members by a text, a gate and how they stand', memberWork('find'))),
  )
    .option('--search <text>', 'a part of the name, e-mail, phone or note')
    .option('--gate <id>', 'only who has an access to it')
    .option(
      '--state <state>',
      'active, current, allowed_now, ending_soon, ended or inactive (default active)',
    )
  one('show', 'show one member with all accesses', 'show')
  one('link', 'print the magic link of a member', 'link')
  whenOptions(
    inSpace(
      command(
        member,
        'create',
        'make a member, whose link is printed; an e-mail address gets the invitation',
        memberWork('create'),
      ),
    )
      .option('--name <name>', 'as guests and mails show it')
      .option('--email <address>', 'where the invitation goes')
      .option('--phone <text>', 'never dialled')
      .option('--note <text>', 'seen by admins only')
      .option(externalIdFlags, externalIdSays)
      .option('--gates <list>', 'ids of the gates that the member may open, with the options below'),
  ).option('--file <path>', fileOption)
  one('update', 'change a member; an empty text clears a field. No mail is sent', 'update')
    .option('--name <name>')
    .option('--email <address>')
    .option('--phone <text>')
    .option('--note <text>')
    .option(externalIdFlags, externalIdSays)
    .option('--file <path>', fileOption)
  one('deactivate', 'revoke all accesses; the link is dead at once', 'deactivate')
  one('reactivate', 'take a member in again, with a new link and without accesses', 'reactivate')
  one('reset-link', 'give a member another link; the old one is dead at once. No mail is sent', 'resetLink')
  one('invite', 'send the invitation with the link again, by mail', 'invite')
  const data = (name: string, summary: string, work: 'export' | 'erase') =>
    inSpace(
      command(member, name, summary, personalDataWork(work)).requiredOption('--member <id>', 'the member'),
    )
  data('export', 'print all that is known of a member, as JSON', 'export')
  data('erase', 'erase the personal data of a member for good; the openings stay', 'erase').option(
    '--yes',
    'erase; without it the command only says what it would do',
  )
}

/** Adds `callgate access …`. */
export function accessCommands(program: Command, command: AddCommand): void {
  const access = program
    .command('access')
    .description('accesses of a member: one for each gate, with hours and a cap')
  const of = (name: string, summary: string, work: 'list' | 'add' | 'update' | 'revoke') =>
    inSpace(command(access, name, summary, accessWork(work)).requiredOption('--member <id>', 'the member'))
  of('list', 'list the accesses of a member', 'list')
  whenOptions(
    of('add', 'let a member open a gate; a member with an e-mail address is told by mail', 'add').option(
      '--gate <id>',
      'the gate',
    ),
  ).option('--file <path>', fileOption)
  whenOptions(
    of('update', 'change when and how often; what is not given stays', 'update').requiredOption(
      '--access <id>',
      'the access',
    ),
  )
    .addOption(activeOption('no suspends the access'))
    .option('--file <path>', fileOption)
  of('revoke', 'revoke an access', 'revoke').requiredOption('--access <id>', 'the access')
}
