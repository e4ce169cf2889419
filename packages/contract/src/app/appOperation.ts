// An app operation: one call of the dashboard as data. It has a role where an operation of the REST API has a scope.

import type { CallShape } from '../rest/operation.ts'

/** What a user may be in a Space. An owner may do all that an admin may. */
export const roleNames = ['admin', 'owner'] as const
export type RoleName = (typeof roleNames)[number]

/**
 * Who may call an operation: at least this role in the Space of the path; `user`: whoever is signed in, without a Space;
 * `none`: whoever comes, before signing in.
 */
export type Role = RoleName | 'user' | 'none'

export interface AppShape extends CallShape {
  readonly role: Role
  /**
   * Present where a body holds a secret that is short enough to be found by its hash, which is what an Idempotency-Key keeps of
   * a body: the key is ignored.
   */
  readonly takesNoKey?: true
  /** Present where no answer holds a link, a token or a key, so that its length may tell of its content: it is compressed. */
  readonly isCompressed?: true
}

/** The operation as it is, checked by the compiler. Params of the path name all ids but `spaceId`. */
export function appOperation<const Shape extends AppShape>(shape: Shape): Shape {
  return shape
}
