// Entity tags: the ETag of one resource, and the If-Match that a change may carry (RFC 9110, 8.8.3 and 13.1.1).

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { canonicalJson } from '../core/canonicalJson.ts'

/** Members that change by use and that no request edits: an edit must not fail because of them. */
const ofUse: ReadonlySet<string> = new Set([
  'openCount',
  'lastOpenedAt',
  'usageCount',
  'lastUsedAt',
  'preferredLanguage',
])

/**
 * The tag of a resource: of the JSON that it is answered with, without regard to the order of its members, and without what
 * changes by use.
 */
export function entityTag(body: object): string {
  return `"${createHash('sha256').update(canonicalJson(body, ofUse)).digest('base64url').slice(0, 27)}"`
}

/** The states that a change accepts: any, or those of the tags. */
export type IfMatch = '*' | readonly string[]

export type ReadIfMatch =
  | { readonly ok: true; readonly ifMatch: IfMatch | undefined }
  | { readonly ok: false; readonly problem: Problem }

const tagForm = /(?:W\/)?"[^"]*"/g

/** Reads `*` or a list of tags; undefined without the header. */
export function readIfMatch(header: string | undefined): ReadIfMatch {
  if (header === undefined) return { ok: true, ifMatch: undefined }
  if (header.trim() === '*') return { ok: true, ifMatch: '*' }
  const tags = header.match(tagForm)
  if (tags && /^[\s,]*$/.test(header.replace(tagForm, ''))) return { ok: true, ifMatch: tags }
  return {
    ok: false,
    problem: {
      problem: 'validation_error',
      message: 'If-Match must be * or the ETag of the resource in its quotes',
    },
  }
}

/** The problem when `ifMatch` does not name the state `current`. A weak tag (`W/"…"`) never does. */
export function staleProblem(ifMatch: IfMatch, current: object): Problem | undefined {
  if (ifMatch === '*' || ifMatch.includes(entityTag(current))) return undefined
  return {
    problem: 'precondition_failed',
    message: 'The resource is no longer what If-Match names. Read it again, and send its new ETag.',
  }
}
