// A wish: the request to root to install a version that the cloud has asked for. The daemon leaves it in a folder of its own, and
// root takes it from there.

import { constants } from 'node:fs'
import { access, open, rm, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskId } from '@callgate/contract/ids'
import { ReleaseArchives, versionText } from '@callgate/contract/releaseWords'
import { nullable, open as openObject } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import Type, { type Static } from 'typebox'
import { writeWhole } from '../enrol/syncedFile.ts'
import { isFormerNameHeld } from '../formerLock.ts'
import { systemCode } from '../journalDisk.ts'
import { isHeld, type Locked, type LockPlace, lock } from '../lock.ts'
import { lockOfUpdates } from './versionStore.ts'

/**
 * The schema is open: the program that takes the wish belongs to the package, and an updated daemon may write more fields. The
 * address of the cloud comes from the configuration of the gateway.
 */
const Wish = openObject({
  taskId: TaskId,
  version: versionText,
  archives: ReleaseArchives,
  cloudUrl: Type.String({ maxLength: 500 }),
  ca: nullable(Type.String({ maxLength: 100_000 })),
})
export type Wish = Static<typeof Wish>

const checkWish = checker(Wish, 'the wish')
const mostBytes = 128 * 1024

/** Inside the folder of the versions, which belongs to root, so that nobody else can replace this folder. */
const inbox = (store: string) => join(store, 'inbox')
const wishIn = (store: string) => join(inbox(store), 'wish')

/** Whether this user can leave a wish. */
export const canWish = (store: string): Promise<boolean> =>
  access(inbox(store), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

const carriedOut = (store: string): LockPlace => ({
  file: join(inbox(store), 'lock'),
  isBorrowed: true,
  formerName: `wish ${store}`,
})

/** Leaves a wish, and the lock file that root uses while it carries one out. Rejects with the system's error. */
export async function leaveWish(store: string, wish: Wish): Promise<void> {
  await (await open(carriedOut(store).file, 'a', 0o600)).close()
  await writeWhole(wishIn(store), JSON.stringify(wish))
}

/**
 * Shows the daemon, until this program ends, that a wish is being carried out. Nothing else may rely on it, because the folder
 * belongs to the daemon.
 */
export const showCarryingOut = (store: string): Promise<Locked> => lock([carriedOut(store)])

/** Whether root carries out a wish. Root's program may be older than the daemon. */
export const isCarriedOut = async (store: string): Promise<boolean> =>
  (await isHeld(carriedOut(store))) || (await isFormerNameHeld(lockOfUpdates(store).formerName))

/** Whether the wish is still there, so that no program has taken it. */
export const isUntaken = (store: string): Promise<boolean> =>
  access(wishIn(store)).then(
    () => true,
    () => false,
  )

/** Withdraws the wish. */
export const dropWish = (store: string): Promise<void> => rm(wishIn(store), { force: true })

async function textOf(path: string): Promise<string | undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = await file.stat()
      return stat.isFile() && stat.size <= mostBytes ? await file.readFile('utf8') : undefined
    } finally {
      await file.close()
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/**
 * Removes a file, a link or an empty folder. The surrounding folder belongs to the daemon, so nothing below it is removed: an
 * attacker in the daemon could replace a folder by a link meanwhile, and root would follow it.
 */
async function removeOne(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return
    if (code !== 'EISDIR' && code !== 'EPERM') throw error
    await rmdir(path)
  }
}

/** Reads the wish and removes it; undefined where it is unreadable. Rejects where it cannot be removed. */
export async function takeWish(store: string): Promise<Wish | undefined> {
  const text = await textOf(wishIn(store))
  await removeOne(wishIn(store))
  try {
    const checked = checkWish(JSON.parse(text ?? ''))
    return checked.ok ? checked.value : undefined
  } catch {
    return undefined
  }
}
