// Device marks: a browser gets one at a sign-in, and the same account recognises it by the mark.

import type { World } from '@callgate/world/world'
import { deviceWithinMs } from '../http/visitor.ts'
import type { Seal } from '../secrets/sealing.ts'
import { markOfHash } from './passwordHashes.ts'
import type { UserRow } from './users.ts'

const idBytes = 16
const context = 'device'

type Account = Pick<UserRow, 'id' | 'passwordHash' | 'totpEnabledAt'>

export interface DeviceMarks {
  /** A mark of the account in its present state: for the browser with this id, or for a new one. */
  make(user: Account, deviceId?: string): string
  /**
   * The browser's id; undefined where the mark was made for another user, where the password was changed or codes of an app were
   * enabled since, and after `deviceWithinMs`. A mark opens no session.
   */
  read(mark: string | undefined, user: Account | undefined): string | undefined
}

export function createDeviceMarks({
  seal,
  world,
}: {
  readonly seal: Seal
  readonly world: World
}): DeviceMarks {
  return {
    make({ id: userId, passwordHash }, deviceId) {
      const id = deviceId ?? Buffer.from(world.randomBytes(idBytes)).toString('base64url')
      return seal.seal([userId, id, world.nowMs(), markOfHash(passwordHash)].join(' '), context)
    },
    read(mark, user) {
      const text = mark === undefined ? undefined : seal.unseal(mark, context)
      if (text === undefined || !user) return undefined
      const [of, id, madeAt, passwordMark] = text.split(' ')
      const isOwn = of === user.id && passwordMark === markOfHash(user.passwordHash)
      const isOfFactor = user.totpEnabledAt === null || Number(madeAt) >= Date.parse(user.totpEnabledAt)
      const isYoung = world.nowMs() - Number(madeAt) < deviceWithinMs
      return isOwn && isOfFactor && isYoung ? id : undefined
    },
  }
}
