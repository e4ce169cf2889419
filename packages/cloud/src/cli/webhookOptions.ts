// The operator's commands on webhooks, with their options.

import type { Command } from 'commander'
import { type AddCommand, later } from './later.ts'
import { activeOption, inSpace } from './memberOptions.ts'

const webhookWork = later(async () => (await import('./webhookCommands.ts')).webhookWork)

const ofOne = (command: Command) => inSpace(command).requiredOption('--webhook <id>', 'the webhook')

export function webhookCommands(program: Command, command: AddCommand): void {
  const webhook = program.command('webhook').description('addresses to which the events of a Space are sent')
  inSpace(command(webhook, 'create', 'add a webhook; its secret is shown once', webhookWork('create')))
    .requiredOption('--url <address>', 'with https:// and a public name')
    .option('--description <text>', 'what it is for')
    .option('--types <list>', 'only events of these types, with commas between (default all)')
  inSpace(command(webhook, 'list', 'list the webhooks', webhookWork('list')))
  ofOne(command(webhook, 'set', 'switch a webhook off, or let it go on', webhookWork('set'))).addOption(
    activeOption('whether events are sent to it').makeOptionMandatory(),
  )
  ofOne(command(webhook, 'test', 'send a test event', webhookWork('test')))
  ofOne(command(webhook, 'deliveries', 'show what was sent, newest first', webhookWork('deliveries'))).option(
    '--limit <count>',
    'at most this many',
  )
  ofOne(command(webhook, 'remove', 'remove a webhook with its log', webhookWork('remove')))
}
