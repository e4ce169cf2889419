// The versions of the daemon beside that of the package: a folder of root, with one folder for each version and a link to the
// current one.

import { mkdir, readdir, readFile, readlink, rename, rm, statfs, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TaskId } from '@callgate/contract/ids'
import { mostWhy, type UpdateFault, UpdateOutcome } from '@callgate/contract/releaseWords'
import { closed, nullable } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import Type from 'typebox'
import { type Change, type Ended, mostTrialStarts, type Trial, type Versions } from '../core/updatePlan.ts'
import { syncedFolder, writeWhole } from '../enrol/syncedFile.ts'
import { systemCode } from '../journalDisk.ts'
import { type LockPlace, lockIn } from '../lock.ts'

const version = Type.String({ pattern: '^[0-9.]{5,17}$' })
const checkTrial = checker(
  closed({ version, previous: nullable(version), starts: Type.Integer({ minimum: 0 }) }),
  'the trial',
)
const checkFailed = checker(Type.Array(version), 'the list')
const checkAsked = checker(closed({ taskId: TaskId, version }), 'what was asked')
const checkFetches = checker(Type.Array(Type.Number()), 'the times')
const checkOutcome = checker(UpdateOutcome, 'the outcome')

/** The lock of an update of the versions in `folder`. Only root can open the file. */
export const lockOfUpdates = (folder: string): LockPlace => lockIn(folder, `update ${folder}`)

/** How the last update ended, by the store in `folder`; undefined where nothing is recorded. Rejects with the system's error. */
export async function readOutcome(folder: string): Promise<UpdateOutcome | undefined> {
  const checked = checkOutcome(await readJson(join(folder, 'outcome')))
  return checked.ok ? checked.value : undefined
}

/** The content of a JSON file; undefined where there is no file, null where it is not JSON. */
async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Everybody may read the store, because the daemon runs from it. */
const readableByAll = 0o644

export class VersionStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** The folder of a version. */
  placeOf(version: string): string {
    return join(this.folder, 'versions', version)
  }

  async read(): Promise<Versions> {
    const link = await readlink(join(this.folder, 'current')).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    })
    const current = link === undefined ? undefined : basename(link)
    return { current, trial: await this.#trial(current), failed: await this.#failed() }
  }

  /** Makes one change. Once it resolves, a power cut does not undo it. Rejects with the system's error. */
  async make(change: Change): Promise<void> {
    if (change.type === 'keepTrial') return this.#write('trial', change.trial)
    if (change.type === 'endTrial') return this.#remove('trial')
    if (change.type === 'pointTo') return this.#pointTo(change.version)
    if (change.type === 'keepOnly') return this.#keepOnly(change.versions)
    if (change.type === 'noteEnd') return this.#noteEnd(change.ended)
    const failed = await this.#failed()
    if (!failed.includes(change.version)) await this.#write('failed', [...failed, change.version].slice(-20))
  }

  /**
   * Adds a version. `fill` writes its files into a folder that nobody else uses yet, and returns a fault where they are unusable.
   * This method returns that fault; in that case, and after a power cut before the end, there is no version of that name. Rejects
   * as `fill` does, or with the system's error.
   */
  async add(
    version: string,
    fill: (folder: string) => Promise<UpdateFault | undefined>,
  ): Promise<UpdateFault | undefined> {
    const draft = join(this.folder, 'draft')
    await rm(draft, { recursive: true, force: true })
    await mkdir(join(this.folder, 'versions'), { recursive: true, mode: 0o755 })
    await mkdir(draft, { mode: 0o755 })
    try {
      const fault = await fill(draft)
      if (fault) return fault
      await rm(this.placeOf(version), { recursive: true, force: true })
      await rename(draft, this.placeOf(version))
      await syncedFolder(join(this.folder, 'versions'))
      return undefined
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }

  /** The manifest of a version; undefined where it has none. */
  manifestOf(version: string): Promise<unknown> {
    return readJson(join(this.placeOf(version), 'manifest.json'))
  }

  /** Records that the cloud has asked for a version, so that its end is reported as the answer to that request. */
  noteAsked(asked: { readonly taskId: string; readonly version: string }): Promise<void> {
    return this.#write('asked', { taskId: asked.taskId, version: asked.version })
  }

  /** When wishes of the daemon fetched releases that were not installed, milliseconds since the epoch. */
  async fetches(): Promise<readonly number[]> {
    const checked = checkFetches(await readJson(join(this.folder, 'fetches')))
    return checked.ok ? checked.value : []
  }

  /** Records all of these times. */
  noteFetches(times: readonly number[]): Promise<void> {
    return this.#write('fetches', times)
  }

  /** The bytes that root may still write there. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder)
    return bavail * bsize
  }

  async #trial(current: string | undefined): Promise<Trial | undefined> {
    const found = await readJson(join(this.folder, 'trial'))
    if (found === undefined) return undefined
    const checked = checkTrial(found)
    // The disk is damaged. The current version may not have proved that it works, so it is rolled back.
    return checked.ok ? checked.value : { version: current ?? '', previous: null, starts: mostTrialStarts }
  }

  async #failed(): Promise<readonly string[]> {
    const checked = checkFailed(await readJson(join(this.folder, 'failed')))
    return checked.ok ? checked.value : []
  }

  async #noteEnd({ cause, state, version, why }: Ended): Promise<void> {
    const asked = checkAsked(await readJson(join(this.folder, 'asked')))
    const taskId = asked.ok && asked.value.version === version ? asked.value.taskId : null
    const before = await readOutcome(this.folder)
    const isSame = before?.taskId === taskId && before.version === version && before.state === state
    const outcome: UpdateOutcome = { taskId, version, state, why: why?.slice(0, mostWhy) ?? null, cause }
    if (!isSame) await this.#write('outcome', outcome)
  }

  #write(name: string, content: object): Promise<void> {
    return writeWhole(join(this.folder, name), `${JSON.stringify(content)}\n`, readableByAll)
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true })
    await syncedFolder(this.folder)
  }

  async #pointTo(version: string | null): Promise<void> {
    if (version === null) return this.#remove('current')
    const draft = join(this.folder, 'current.new')
    await rm(draft, { force: true })
    await symlink(join('versions', version), draft)
    await rename(draft, join(this.folder, 'current'))
    await syncedFolder(this.folder)
  }

  async #keepOnly(versions: readonly string[]): Promise<void> {
    const found = await readdir(join(this.folder, 'versions')).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    })
    for (const version of found)
      if (!versions.includes(version)) await rm(this.placeOf(version), { recursive: true, force: true })
  }
}
