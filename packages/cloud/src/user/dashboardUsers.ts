// Users in the dashboard's API put together: signing in, passwords, second factors, passkeys, sessions, invitations, the users of a Space.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Limits } from '../limit/limits.ts'
import type { Seal } from '../secrets/sealing.ts'
import { createDeviceMarks } from './deviceMarks.ts'
import { invitationHandlers } from './invitationHandlers.ts'
import { createNewPasswords } from './newPasswords.ts'
import { ownSessionHandlers } from './ownSessionHandlers.ts'
import { passkeyHandlers } from './passkeyHandlers.ts'
import { createPasskeys } from './passkeys.ts'
import { passwordHandlers } from './passwordHandlers.ts'
import { createPasswordHashes } from './passwordHashes.ts'
import { createPasswordRules } from './passwordRules.ts'
import { secondFactorHandlers } from './secondFactorHandlers.ts'
import { sessionHandlers } from './sessionHandlers.ts'
import { createSignInLimits } from './signInLimits.ts'
import { createSigningIn } from './signingIn.ts'
import { createTickets } from './tickets.ts'
import { userHandlers } from './userHandlers.ts'

/** The handlers of every operation on users. */
export function dashboardUsers(given: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly limits: Limits
  readonly appUrl: string
}) {
  const hashes = createPasswordHashes(given.world)
  const newPasswords = createNewPasswords(createPasswordRules(), hashes)
  const limits = createSignInLimits(given.limits)
  const marks = createDeviceMarks(given)
  const tickets = createTickets(given)
  const signingIn = createSigningIn({ ...given, marks })
  const passkeys = createPasskeys({ ...given, tickets })
  const parts = { ...given, hashes, newPasswords, limits, marks, tickets, signingIn, passkeys }
  return {
    ...sessionHandlers(parts),
    ...ownSessionHandlers(parts),
    ...passwordHandlers(parts),
    ...secondFactorHandlers(parts),
    ...passkeyHandlers(parts),
    ...invitationHandlers(parts),
    ...userHandlers(parts),
  }
}
