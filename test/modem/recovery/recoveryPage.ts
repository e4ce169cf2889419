// The page of the recovery times, made from the table that the test uses.

import { fileURLToPath } from 'node:url'
import { type CallFaultName, combinedFault, faultNames } from '@callgate/simulator/presets'
import { type Recovery, recoveries } from './recoveryTable.ts'

export const pageFile = fileURLToPath(new URL('../../../packages/modem/docs/recovery.md', import.meta.url))

const cures: Readonly<Record<Recovery['cure'], string>> = {
  itself: '',
  hook: ' and a hook',
  takenAway: ' of the fault’s end',
}

function wrongOf(name: CallFaultName): string {
  const { also, restarts } = recoveries[name]
  const more = [...(restarts ? ['the module restarts'] : []), ...(also ? [`with ${also.join(', ')}`] : [])]
  return [combinedFault([name]).summary, ...more].join('; ')
}

function timeOf({ cure, withinMs }: Recovery): string {
  return `${withinMs / 1000} s${cures[cure]}`
}

/** Markdown. */
export function recoveryPage(): string {
  return [
    '# How soon the modem is ready again',
    '',
    'Each fault of the simulator strikes a modem that was well: 3 s before a call is wanted, and 7 s into one. The time counts',
    'from the verdict of that call, or from the fault where there was no call. Where it says “of the fault’s end”, the fault',
    'stays for a quarter of an hour, then a person takes it away, and the time counts from then. A restart ends when the',
    'network takes the modem back, which alone takes 5 to 30 s. Ready means ready for a minute, with no call left in the',
    'modem and no ATD but those asked for.',
    '',
    'Written by `npx vitest run -u --config test/vitest.config.ts test/modem/recovery` from the table that the test holds the',
    'driver to (`test/modem/recovery/recoveryTable.ts`).',
    '',
    '| Fault | What is wrong | Ready within | By | `trouble` meanwhile |',
    '|--|--|--|--|--|',
    ...faultNames.map(name => {
      const recovery = recoveries[name]
      return `| ${name} | ${wrongOf(name)} | ${timeOf(recovery)} | ${recovery.by} | ${recovery.trouble ?? ''} |`
    }),
    '',
  ].join('\n')
}
