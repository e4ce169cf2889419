// The commands for Spaces and plans, with their options.

import { languages } from '@callgate/contract/language'
import { type Command, Option } from 'commander'
import { planNames } from '../core/plan.ts'
import { type AddCommand, later } from './later.ts'
import { fileOption, inSpace, ofSpace } from './memberOptions.ts'

const settingsWork = later(async () => (await import('./settingsCommands.ts')).settingsWork)
const spaceWork = later(async () => (await import('./spaceCommands.ts')).spaceWork)
const updateWork = later(async () => (await import('./updateCommands.ts')).updateWork)
const planWork = later(async () => (await import('./planCommands.ts')).planWork)

const plan = () =>
  new Option('--plan <plan>', 'what the Space may use').choices([...planNames]).makeOptionMandatory()

export function spaceCommands(program: Command, command: AddCommand): void {
  const space = program.command('space').description('Spaces: the tenants')
  command(space, 'create', 'make a Space', spaceWork('create'))
    .requiredOption('--name <name>', 'what people call it')
    .addOption(plan())
    .option('--country <code>', 'for phone numbers without a country (default RO)')
    .option('--timezone <name>', 'IANA name (default Europe/Bucharest)')
    .option('--sandbox', 'for tests: it calls nobody and sends no mail; it stays one for good')
  command(space, 'list', 'list all Spaces', spaceWork('list'))
  inSpace(command(space, 'set-plan', 'give a Space another plan', ofSpace(spaceWork('setPlan')))).addOption(
    plan(),
  )
  inSpace(
    command(
      space,
      'countries',
      'show or set the countries that gates of a Space may be in',
      ofSpace(planWork('countries')),
    ),
  ).option('--allow <list>', 'RO,DE and so on, beside the country of the Space; usual: the usual list again')
  inSpace(
    command(
      space,
      'limits',
      'show or set the limits that a Space has of its own',
      ofSpace(planWork('limits')),
    ),
  )
    .option('--gates <count>', "active gates at most; plan: the plan's limit again")
    .option('--invitations <count>', "new members a month at most; plan: the plan's limit again")
    .option('--gateways <count>', "gateways at most; plan: the plan's limit again")
    .option('--keys <count>', "API keys at most; plan: the plan's limit again")
    .option('--users <count>', "users and open invitations at most; plan: the plan's limit again")
    .option('--webhooks <count>', "webhooks at most; plan: the plan's limit again")

  inSpace(
    command(space, 'contact', 'set whom guests can call when something fails', ofSpace(spaceWork('contact'))),
  )
    .option('--name <name>', 'a person or a desk')
    .option('--phone <number>', 'as guests read it')
    .option('--nobody', 'show nobody')

  inSpace(command(space, 'set', 'show or change the settings of a Space', settingsWork('set')))
    .option('--name <name>', 'what people call it')
    .option('--country <code>', 'for phone numbers without a country')
    .option('--timezone <name>', 'IANA name; stored hours stay as they are')
    .addOption(new Option('--language <code>', 'of members who have not picked one').choices([...languages]))
    .option(
      '--keep-identities <time>',
      'how long it is kept who opened and who changed what: 90d, or 1m to 36m',
    )
    .option('--file <path>', fileOption)

  inSpace(
    command(
      space,
      'updates',
      'show or set when the gateways of a Space update themselves, without a leave for each',
      updateWork('space'),
    ),
  )
    .option('--from <time>', 'the first minute, by the clock of the Space: 02:00')
    .option('--to <time>', 'the first minute after: 05:00')
    .option('--off', 'never, as at first')
  planCommands(program, command)
}

function planCommands(program: Command, command: AddCommand): void {
  const plans = program.command('plan').description('plans: what Spaces may use')
  command(plans, 'list', 'list the plans', planWork('list'))
  command(plans, 'set', 'change what a plan allows, for every Space that has it', planWork('set'))
    .addOption(new Option('--name <plan>', 'the plan').choices([...planNames]).makeOptionMandatory())
    .option('--gates <count>', 'active gates at most')
    .option('--invitations <count>', 'new members a month at most')
    .option('--gateways <count>', 'gateways at most')
    .option('--keys <count>', 'API keys at most')
    .option('--users <count>', 'users and open invitations at most')
    .option('--webhooks <count>', 'webhooks at most')
    .addOption(new Option('--api <answer>', 'whether keys work').choices(['yes', 'no']))
    .option('--trial-days <count>', 'how long a new trial lasts; only for the plan trial')
}
