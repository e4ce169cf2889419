// Device marks: what a browser is given when somebody signs in on it, by which the same account knows it again.

import type { World } from '@callgate/world/world'
import type { Seal } from '../secrets/sealing.ts'

const idBytes = 16
const context = 'device'

export interface DeviceMarks {
  make(userId: string): string
  /** The browser's id where `mark` was made for this user; undefined for any other mark. It opens no session. */
  read(mark: string | undefined, userId: string | undefined): string | undefined
}

export function createDeviceMarks({
  seal,
  world,
}: {
  readonly seal: Seal
  readonly world: World
}): DeviceMarks {
  return {
    make(userId) {
      const id = Buffer.from(world.randomBytes(idBytes)).toString('base64url')
      return seal.seal(`${userId} ${id}`, context)
    },
    read(mark, userId) {
      const [of, id] = (mark === undefined ? undefined : seal.unseal(mark, context))?.split(' ') ?? []
      return of !== undefined && of === userId ? id : undefined
    },
  }
}
