// The operator's commands for backups: what they do and print.

import { backUp } from '../backup/backup.ts'
import { drill } from '../backup/drill.ts'
import { noteBackup } from '../backup/lastBackup.ts'
import { type NotProved, type Retained, removeOlder } from '../backup/olderBackups.ts'
import { type Restored, restore } from '../backup/restore.ts'
import { type Marked, markAsRestored } from '../backup/restored.ts'
import type { Config } from '../config.ts'
import { counted } from '../core/counted.ts'
import { isServer } from '../database/databaseAddress.ts'
import { confirmRestore, numbersHeldMs } from '../restore/restores.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { type Finding, verify } from '../verify/verify.ts'
import { type CommandWork, columns, type FileWork, refuse } from './commandWork.ts'

/** Why these commands cannot use the data; undefined where it is a file. */
function notOurs({ databaseUrl, dataFolder }: Config): string | undefined {
  if (!isServer(databaseUrl)) return undefined
  return `DATABASE_URL names a Postgres server, and this command knows files of SQLite only. Copy the database by pg_dump or pgBackRest, and the keys in ${dataFolder} to another place; after its restore, run "callgate restored". See "Backups of Postgres" in databases.md.`
}

const findingTable = (findings: readonly Finding[]) =>
  columns(
    ['RULE', 'ROW', 'WHAT IS WRONG'],
    findings.map(({ id, rule, what }) => [rule, id, what]),
  )

const sayRetained = ({ kept, leftAlone, removed }: Retained): string[] => [
  `Here ${kept.length === 1 ? 'is 1 backup' : `are ${kept.length} backups`} now; ${removed.length === 0 ? 'none was too old' : `${counted(removed.length, 'older folder')} removed`}.`,
  ...leftAlone.map(({ folder, why }) => `${folder} was left alone: it ${why}.`),
]

const sayNotProved = ({ findings, message }: NotProved): string[] => [
  `No older backup was removed, because this one is not proved. ${message}`,
  ...(findings.length > 0 ? ['', findingTable(findings)] : []),
]

/** How many backups stay; undefined for a text that is no such number. */
const readKeep = (text: string) => (/^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : undefined)

const backup: FileWork = async (parts, { folder = '', keep, keys, withoutKeys }) => {
  const { config, world } = parts
  const wrong = notOurs(config)
  if (wrong !== undefined) return refuse(wrong)
  if ((keys === undefined) === (withoutKeys === undefined))
    return refuse('Give --keys and a second folder for the keys, or --without-keys: a restore needs them.')
  const most = keep === undefined ? undefined : readKeep(keep)
  if (keep !== undefined && most === undefined)
    return refuse('--keep must be a number from 1 to 9999: how many backups stay.')
  const note = (attempt: Parameters<typeof noteBackup>[1]) =>
    noteBackup({ dataFolder: config.dataFolder, world }, attempt)
  const done = await backUp(parts, { folder, keysFolder: keys })
  if (!done.ok) {
    await note({ why: done.message })
    return done
  }
  const { ok: _, rows, ...made } = done
  const { bytes, keysFolder, takenAt } = made
  const count = (table: string, noun: string) => counted(rows[table] ?? 0, noun)
  const isNoted = await note({ made: { bytes, folder: made.folder, keysFolder, takenAt } })
  const retained = most === undefined ? undefined : await removeOlder(parts, made, most)
  const isProved = retained === undefined || 'kept' in retained
  if (!isProved) await note({ why: retained.message })
  const text = [
    `The data as of ${takenAt} is in ${made.folder}: ${bytes} bytes; ${count('spaces', 'Space')}, ${count('gates', 'gate')}, ${count('members', 'member')}, ${count('openings', 'opening')}.`,
    keysFolder === null
      ? 'The keys are not in it, and a restore needs them: they are in the data folder, or in another backup.'
      : `The keys are in ${keysFolder}. Keep them away from the data: with both, one can read every link and speak to the gateways. A restore needs both.`,
    ...(isNoted
      ? []
      : [`It could not be noted in ${config.dataFolder}, so "callgate doctor" does not know of it.`]),
    ...(retained === undefined ? [] : isProved ? sayRetained(retained) : sayNotProved(retained)),
  ].join('\n')
  const isWrong = retained !== undefined && (!isProved || retained.isStuck)
  return { ok: true, json: { ...done, ...(retained && { retained }) }, text, ...(isWrong && { exitCode: 1 }) }
}

/** What the operator has to do again, because the data is older than the present. */
function sayUndone({ hadData, takenAt, undone }: Pick<Restored, 'hadData' | 'takenAt' | 'undone'>): string {
  if (undone === null)
    return [
      hadData
        ? 'The data that was there cannot be compared with the backup, so nobody can list what is undone.'
        : 'There was no data to compare with, so nobody can list what is undone.',
      `Everything is as it was at ${takenAt}. Keys, gateways, members, gates and accesses that were revoked or switched off since then work again, and so do links that were reset.`,
      'Scopes and expiry of keys, hours and caps of accesses, numbers and call profiles of gates, plans, limits and allowed countries are the former ones. Uses of capped accesses since then are forgotten.',
    ].join('\n')
  if (undone.length === 0) return 'Nothing that was revoked, restricted or used is undone.'
  const rows = undone.map(({ change, id, what }) => [what, id, change])
  return `This is undone:\n\n${columns(['WHAT', 'ID', 'CHANGE'], rows)}\n`
}

/** Such as "1 mail that waited then is" and "2 mails that waited then are". */
const those = (count: number, noun: string, which: string) =>
  `${counted(count, noun)} ${which} ${count === 1 ? 'is' : 'are'}`

/** The effects on openings that ran and mails that waited at the moment of the backup. */
const sayEnded = ({ endedOpenings, givenUpMails }: Pick<Marked, 'endedOpenings' | 'givenUpMails'>) => [
  ...(endedOpenings > 0
    ? [`${those(endedOpenings, 'opening', 'that ran then')} ended: nobody knows how.`]
    : []),
  ...(givenUpMails > 0
    ? [
        `${those(givenUpMails, 'mail', 'that waited then')} given up, since nobody knows whether it was sent: "callgate mail list".`,
      ]
    : []),
]

const nextSteps = [
  'Gateways that kept running end with exit code 4 when the cloud serves, and their supervisors start them again.',
  'Revoke and restrict again what must be, then start "callgate serve". Guests and API keys stay shut until "callgate confirm-restore".',
]

const tried = { spaces: 'Space', gates: 'gate', members: 'member', gateways: 'gateway', openings: 'opening' }

/** Restores into a place of its own, and removes that again. */
const tryRestore: FileWork = async (parts, { folder = '', keys }) => {
  const done = await drill(parts, { folder, keysFolder: keys, replaces: false, files: parts.files })
  if (!done.ok) return done
  const { findings, newestOpeningAt, restoreMs, rows, takenAt } = done
  const counts = Object.entries(tried).map(([table, noun]) => counted(rows[table] ?? 0, noun))
  const isFine = findings.length === 0
  const text = [
    `The backup of ${takenAt} ${isFine ? 'can be restored' : 'was restored, and "callgate verify" finds faults in it'}: ${counts.join(', ')}${newestOpeningAt === null ? '' : `; the newest opening is of ${newestOpeningAt}`}.`,
    `A restore takes ${(restoreMs / 1_000).toFixed(1)} s here. Presses are refused until "callgate confirm-restore", and for ${numbersHeldMs / 1_000} s after the start.`,
    'What was restored is removed again. Nothing was changed, sent or called.',
    ...(isFine ? [] : ['', findingTable(findings)]),
  ].join('\n')
  return { ok: true, json: done, text, ...(!isFine && { exitCode: 1 }) }
}

const restoreBackup: FileWork = async (parts, { drill: isDrill, ...options }) => {
  const { folder = '', keys, replace } = options
  const why = notOurs(parts.config)
  if (why !== undefined) return refuse(why)
  if (isDrill !== undefined)
    return replace === undefined
      ? tryRestore(parts, options)
      : refuse('Give --drill or --replace: a drill replaces nothing.')
  const done = await restore(parts, {
    folder,
    keysFolder: keys,
    replaces: replace !== undefined,
    files: parts.files,
  })
  if (!done.ok) return done
  const { file, movedAside, takenAt } = done
  const text = [
    `The data as of ${takenAt} is restored to ${file}.`,
    ...movedAside.map(aside => `What was there is kept as ${aside}.`),
    ...sayEnded(done),
    sayUndone(done),
    ...nextSteps,
  ].join('\n')
  return { ok: true, json: done, text }
}

const restored: CommandWork = async ({ config, database, world }, { yes }) => {
  if (yes === undefined)
    return refuse(
      'Nothing was changed. With --yes the data counts as restored from a backup: openings that run end, sessions and links of users end, mails that wait are given up, and guests and API keys stay shut until "callgate confirm-restore".',
    )
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return refuse(loaded.message)
  const marked = await markAsRestored({ database, world }, loaded.keyring)
  if (!marked.ok) return marked
  const { isKnownKey, takenAt } = marked
  const text = [
    `The data counts as restored. The newest time in it is ${takenAt}.`,
    ...sayEnded(marked),
    sayUndone({ hadData: false, takenAt, undone: null }),
    ...(isKnownKey
      ? []
      : [
          'The signing key is not the one of that time: where it was not replaced since, no gateway obeys it.',
        ]),
    ...nextSteps,
  ].join('\n')
  return { ok: true, json: marked, text }
}

const confirm: CommandWork = async ({ database, world }) => {
  const confirmed = await confirmRestore(database, world)
  if (!confirmed) return refuse('There is no restore that waits for a confirmation.')
  const { strayReports, takenAt } = confirmed
  const text = [
    `Guests and API keys are let in again, on the data of ${takenAt}; at the earliest 160 s after "callgate serve" began, while a call of before may last.`,
    `${those(strayReports, 'report', 'of gateways on what came after the backup')} kept.`,
  ].join('\n')
  return { ok: true, json: confirmed, text }
}

const verifyData: CommandWork = async ({ config, database, world }) => {
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return refuse(loaded.message)
  const findings = await verify(database, loaded.keyring.seal)
  if (findings.length === 0)
    return { ok: true, json: { findings }, text: 'All that can be checked is as it must be.' }
  return { ok: true, json: { findings }, text: findingTable(findings), exitCode: 1 }
}

/** The commands that work on the files of the data. */
export const backupWork = { backup, restore: restoreBackup } satisfies Record<string, FileWork>
/** The commands that work on the data in its place. */
export const dataWork = { confirmRestore: confirm, restored, verify: verifyData } satisfies Record<
  string,
  CommandWork
>
