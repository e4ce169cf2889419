// The commands for the sealing keys, with their options.

import type { Command } from 'commander'
import { type AddCommand, later } from './later.ts'

const work = later(async () => (await import('./sealingKeyCommands.ts')).sealingKeyWork)

export function sealingKeyCommands(program: Command, command: AddCommand): void {
  const group = program
    .command('sealing-key')
    .description('the keys that links and secrets are sealed with: rotate, reseal, forget')
  command(group, 'status', 'show the keys, and what is still sealed with an old one', work('status'))
  command(group, 'rotate', 'add a key, which seals when all clouds know it', work('rotate')).option(
    '--in <time>',
    'when it begins to seal: 10m, 2h, 1d (default 2m); longer where the file is copied to each cloud',
  )
  command(group, 'reseal', 'seal again what an old key has sealed, while the cloud serves', work('reseal'))
  command(group, 'forget', 'remove the old keys from the file, once nothing needs them', work('forget'))
}
