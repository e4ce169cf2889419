// The commands for the signing key, with their options.

import type { Command } from 'commander'
import { type AddCommand, later } from './later.ts'

const work = later(async () => (await import('./signingKeyCommands.ts')).signingKeyWork)

export function signingKeyCommands(program: Command, command: AddCommand): void {
  const group = program
    .command('signing-key')
    .description('the key that gateways obey: rotate, status, forget')
  command(group, 'status', 'show the keys, and which gateways trust the newest one', work('status'))
  command(group, 'rotate', 'add a key, which is announced to every gateway', work('rotate'))
  command(
    group,
    'forget',
    'remove the old key, once every gateway trusts the new one',
    work('forget'),
  ).option('--leave-behind', 'also while gateways do not trust the new key: they need it by hand')
}
