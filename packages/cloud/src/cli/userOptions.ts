// The operator's commands on users of the dashboard, with their options.

import { roleNames } from '@callgate/contract/app/appOperation'
import { languages } from '@callgate/contract/language'
import { type Command, Option } from 'commander'
import { type AddCommand, later } from './later.ts'
import { inSpace, ofSpace } from './memberOptions.ts'

const userWork = later(async () => (await import('./userCommands.ts')).userWork)
const invitationWork = later(async () => (await import('./invitationCommands.ts')).invitationWork)

/** The source of a password: never an argument, because other users of the machine can read those. */
const generate = () =>
  new Option(
    '--generate-password',
    'make a password and print it once; otherwise it is asked for, or read from the first line of the standard input',
  )

/** Adds `callgate user …`. */
export function userCommands(program: Command, command: AddCommand): void {
  const user = program.command('user').description('users: the people who sign in to the dashboard')
  inSpace(command(user, 'create', 'make a user, who can sign in at once', ofSpace(userWork('create'))))
    .requiredOption('--email <address>', 'by which the user signs in')
    .requiredOption('--name <name>', 'as other users and the history show it')
    .addOption(new Option('--role <role>', 'what the user may do').choices([...roleNames]).default('owner'))
    .addOption(new Option('--language <code>', 'of the dashboard').choices([...languages]).default('en'))
    .addOption(generate())
  command(user, 'list', 'list the users, with their roles', userWork('list')).option(
    '--space <id>',
    'only of this Space',
  )
  inSpace(
    command(user, 'set-role', 'give a user a role in a Space, or take it away', ofSpace(userWork('setRole'))),
  )
    .requiredOption('--email <address>', 'the user')
    .addOption(
      new Option('--role <role>', 'none takes it away').choices([...roleNames, 'none']).makeOptionMandatory(),
    )
  command(user, 'password', 'give a user another password; all their sessions end', userWork('password'))
    .requiredOption('--email <address>', 'the user')
    .addOption(generate())
  command(user, 'revoke-sessions', 'end all sessions of a user', userWork('revokeSessions')).requiredOption(
    '--email <address>',
    'the user',
  )
  command(
    user,
    'reset-factors',
    'take away app, recovery codes and passkeys of a user who has lost them; all their sessions end',
    userWork('resetFactors'),
  ).requiredOption('--email <address>', 'the user')
  command(
    user,
    'deactivate',
    'shut a user out of every Space; all their sessions end',
    userWork('deactivate'),
  ).requiredOption('--email <address>', 'the user')
  command(user, 'reactivate', 'let a deactivated user sign in again', userWork('reactivate')).requiredOption(
    '--email <address>',
    'the user',
  )
  invitationCommands(user, command)
}

/** Adds the commands on invitations, and on which member a user is. */
function invitationCommands(user: Command, command: AddCommand): void {
  inSpace(command(user, 'invite', 'invite a person by mail, who sets a password', invitationWork('invite')))
    .requiredOption('--email <address>', 'where the link goes, which works once within 72 hours')
    .requiredOption('--name <name>', 'how the person is called')
    .addOption(new Option('--role <role>', 'what the user may do').choices([...roleNames]).default('admin'))
    .addOption(new Option('--language <code>', "of the mail; the Space's without it").choices([...languages]))
  inSpace(command(user, 'invitations', 'list the invitations that wait', invitationWork('invitations')))
  inSpace(
    command(user, 'cancel-invitation', 'take an invitation back', invitationWork('cancel')),
  ).requiredOption('--invitation <id>', 'the invitation')
  inSpace(command(user, 'link', 'say which member a user is', invitationWork('link')))
    .requiredOption('--email <address>', 'the user')
    .requiredOption('--member <id>', 'the same person; none: no member')
}
