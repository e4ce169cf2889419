// The calls that a sandbox plays are those of the driver at the simulated modem, member by member.

import { type MagicName, magicEnds } from '@callgate/contract/sandbox/magicNumbers'
import { expect, it } from 'vitest'
import recorded from '../../../packages/cloud/src/sandbox/core/recordedCalls.json' with { type: 'json' }
import { played, recordCalls } from './recordedCalls.ts'

it('are those of the driver at the simulated modem, which `pnpm truth --write` writes', async () => {
  expect(await recordCalls()).toEqual(recorded)
})

it('end with the reasons of their numbers', () => {
  const reasons = Object.keys(played).map(name => [name, magicEnds[name as MagicName].reason])
  expect(Object.entries(recorded).map(([name, { verdict }]) => [name, verdict.reason])).toEqual(reasons)
})
