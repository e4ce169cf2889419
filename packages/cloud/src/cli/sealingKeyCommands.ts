// The operator's commands on the sealing keys: what they do and print.

import { counted } from '../core/counted.ts'
import { countLeft, resealAll, totalLeft } from '../rotation/resealing.ts'
import {
  beginRotation,
  forgetOldKeys,
  leastDelayMs,
  notYetSealing,
  type RotationParts,
  rotationState,
} from '../rotation/sealingRotation.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { type CommandParts, type CommandWork, columns, refuse } from './commandWork.ts'

/** The limit on the named rows that no key can unseal. */
const mostNamed = 20

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The delay of `--in`, milliseconds; undefined for a text that is no delay, or too short. */
function readDelay(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9][0-9]{0,3})([mhd])$/.exec(text) ?? []
  const delayMs = Number(count) * (unitMs[unit] ?? 0)
  return delayMs >= leastDelayMs ? delayMs : undefined
}

const partsOf = ({ config, database, world }: CommandParts): RotationParts => ({
  database,
  world,
  places: config.keys,
})

const status: CommandWork = async parts => {
  const state = await rotationState(partsOf(parts))
  if (!state.ok) return state
  const { cloudsWithOtherKeys, left, versions } = state
  const rows = versions.map(({ isSealing, sealsFrom, version }) => [
    String(version),
    isSealing ? 'seals' : sealsFrom !== null ? 'will seal' : 'opens only',
    sealsFrom,
  ])
  const old = Object.entries(left).map(([column, count]) => [column, String(count)])
  const text = [
    columns(['VERSION', 'USE', 'SEALS FROM'], rows),
    old.length === 0
      ? 'Everything is sealed with the newest key.'
      : `Not sealed with the newest key:\n\n${columns(['COLUMN', 'TEXTS'], old)}`,
    ...(cloudsWithOtherKeys > 0
      ? [`${counted(cloudsWithOtherKeys, 'cloud')} on this database cannot open what the newest key seals.`]
      : []),
  ].join('\n\n')
  return { ok: true, json: { versions, left, leftInAll: totalLeft(left), cloudsWithOtherKeys }, text }
}

const rotate: CommandWork = async (parts, { in: delay = '2m' }) => {
  const delayMs = readDelay(delay)
  if (delayMs === undefined)
    return refuse(
      '--in must be like 10m, 2h or 1d, and at least 2m: running clouds look at the file every 30 s.',
    )
  const begun = await beginRotation(partsOf(parts), delayMs)
  if (!begun.ok) return begun
  const { sealsFrom, version } = begun
  const text = [
    `Version ${version} is in the file. Running clouds take it up within a minute, and seal with it from ${sealsFrom} on.`,
    'Where clouds have copies of the file, copy it to all of them before then.',
    'Make a backup of the keys now. Then run "callgate sealing-key reseal".',
  ].join('\n')
  return { ok: true, json: { version, sealsFrom }, text }
}

const reseal: CommandWork = async ({ config, database, world }) => {
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return refuse(loaded.message)
  const { seal, sealingKeys } = loaded.keyring
  const early = notYetSealing({ world }, sealingKeys())
  if (early) return early
  const version = Math.max(...sealingKeys().keys())
  const hasOld = sealingKeys().size > 1
  const { resealed, unreadable } = await resealAll({ database, seal, world }, version)
  const left = await countLeft(database.knex, version)
  const json = { version, resealed, unreadable, left, leftInAll: totalLeft(left) }
  const text = [
    `${counted(resealed, 'text')} sealed again with version ${version}; ${totalLeft(left)} left.`,
    ...(unreadable.length > 0
      ? [
          `No key opens ${unreadable.length} of these. Reset them, and run this again:`,
          ...unreadable.slice(0, mostNamed),
          ...(unreadable.length > mostNamed ? ['and more; --json names all.'] : []),
        ]
      : totalLeft(left) > 0
        ? ['What a cloud has sealed meanwhile is left: run this again.']
        : hasOld
          ? ['"callgate sealing-key forget" removes the old key.']
          : []),
  ].join('\n')
  return { ok: true, json, text, ...(totalLeft(left) > 0 && { exitCode: 1 }) }
}

const forget: CommandWork = async parts => {
  const done = await forgetOldKeys(partsOf(parts))
  if (!done.ok) return done
  const { forgotten } = done
  const text =
    forgotten.length === 0
      ? 'There is no old key to forget.'
      : [
          `Version ${forgotten.join(', ')} is out of the file. Running clouds drop it within a minute.`,
          'Backups of before need the old key: keep the keys that were backed up with them, and make a backup now.',
        ].join('\n')
  return { ok: true, json: { forgotten }, text }
}

export const sealingKeyWork = { status, rotate, reseal, forget } satisfies Record<string, CommandWork>
