// The note of the last backup in the data folder: when and where it was made, or why the last attempt failed.

import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closed, nullable } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import { isoTime, type World } from '@callgate/world/world'

const noteFile = 'last-backup'

export interface LastBackup {
  /** The last one that was made; null where none ever was. */
  readonly made: {
    readonly takenAt: string
    readonly folder: string
    readonly keysFolder: string | null
    readonly bytes: number
  } | null
  /** Why the last attempt failed; null where it did not. */
  readonly failed: { readonly at: string; readonly why: string } | null
}

const text = { type: 'string', maxLength: 5000 } as const
const time = { type: 'string', format: 'date-time' } as const
const checkShape = checker(
  closed({
    made: nullable(
      closed({
        takenAt: time,
        folder: text,
        keysFolder: nullable(text),
        bytes: { type: 'integer', minimum: 0 },
      }),
    ),
    failed: nullable(closed({ at: time, why: text })),
  }),
  'the note of the last backup',
)

/** The note; undefined where no backup was tried, or the note cannot be read. */
export async function readLastBackup(dataFolder: string): Promise<LastBackup | undefined> {
  try {
    const checked = checkShape(JSON.parse(await readFile(join(dataFolder, noteFile), 'utf8')))
    return checked.ok ? (checked.value as LastBackup) : undefined
  } catch {
    return undefined
  }
}

/** Notes an attempt. A failed one leaves the note of the last good one. Returns false where it cannot be written. */
export async function noteBackup(
  { dataFolder, world }: { readonly dataFolder: string; readonly world: World },
  attempt: { readonly made: NonNullable<LastBackup['made']> } | { readonly why: string },
): Promise<boolean> {
  const note: LastBackup =
    'made' in attempt
      ? { made: attempt.made, failed: null }
      : {
          made: (await readLastBackup(dataFolder))?.made ?? null,
          failed: { at: isoTime(world.nowMs()), why: attempt.why.slice(0, 1000) },
        }
  const file = join(dataFolder, noteFile)
  const draft = `${file}.${Buffer.from(world.randomBytes(8)).toString('hex')}`
  try {
    await writeFile(draft, `${JSON.stringify(note)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(draft, file)
    return true
  } catch {
    await rm(draft, { force: true }).catch(() => {})
    return false
  }
}

/** When the last backup was made, in seconds since 1970; 0 where none is known. */
export async function lastBackupS(dataFolder: string): Promise<number> {
  const made = (await readLastBackup(dataFolder))?.made
  return made ? Math.floor(Date.parse(made.takenAt) / 1_000) : 0
}
