// An app operation: one call of the dashboard as data. Instead of the scope of the REST API it has a role.

import type { CallShape } from '../rest/operation.ts'

/** The role of a user in a Space. An owner may do everything that an admin may. */
export const roleNames = ['admin', 'owner'] as const
export type RoleName = (typeof roleNames)[number]

/**
 * Who may call an operation: a user with at least this role in the Space of the path; `user`: any signed-in user, without a
 * Space; `none`: anybody, without signing in.
 */
export type Role = RoleName | 'user' | 'none'

export interface AppShape extends CallShape {
  readonly role: Role
  /**
   * Present where a body contains a secret that is short enough to be guessed by its hash. An Idempotency-Key stores such a hash
   * of the body, so the key is ignored.
   */
  readonly takesNoKey?: true
  /** Present where no answer contains a link, a token or a key, so that its length reveals no secret: it is compressed. */
  readonly isCompressed?: true
}

/** The operation unchanged, checked by the compiler. Path params name all ids but `spaceId`. */
export function appOperation<const Shape extends AppShape>(shape: Shape): Shape {
  return shape
}
