// Users in the dashboard's API put together: signing in, passwords, sessions, invitations, the users of a Space.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import { createConfirmations } from './confirmations.ts'
import { createDeviceMarks } from './deviceMarks.ts'
import { invitationHandlers } from './invitationHandlers.ts'
import { createNewPasswords } from './newPasswords.ts'
import { ownSessionHandlers } from './ownSessionHandlers.ts'
import { passwordHandlers } from './passwordHandlers.ts'
import { createPasswordHashes } from './passwordHashes.ts'
import { createPasswordRules } from './passwordRules.ts'
import { sessionHandlers } from './sessionHandlers.ts'
import { createSignInLimits } from './signInLimits.ts'
import { userHandlers } from './userHandlers.ts'

/** The handlers of every operation on users, and how others ask for the password once more. */
export function dashboardUsers(given: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
}) {
  const hashes = createPasswordHashes(given.world)
  const newPasswords = createNewPasswords(createPasswordRules(), hashes)
  const limits = createSignInLimits(given.world)
  const marks = createDeviceMarks(given)
  const parts = { ...given, hashes, newPasswords, limits, marks }
  const handlers = {
    ...sessionHandlers(parts),
    ...ownSessionHandlers(parts),
    ...passwordHandlers(parts),
    ...invitationHandlers(parts),
    ...userHandlers(parts),
  }
  return { handlers, confirm: createConfirmations(parts) }
}
