// Entity tags: the ETag of one resource, and the conditions that name it: If-Match of a change, If-None-Match of a read
// (RFC 9110, 8.8.3, 13.1.1 and 13.1.2).

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { canonicalJson } from '../core/canonicalJson.ts'

/** Members that change by use and that no request edits: an edit must not fail because of them. */
const ofUse: ReadonlySet<string> = new Set([
  'openCount',
  'lastOpenedAt',
  'usageCount',
  'lastUsedAt',
  'lastSeenAt',
  'preferredLanguage',
  'now',
])

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** What changes by use, and where it stands; undefined where there is none. */
function usesIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const found: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const use = ofUse.has(name) ? [member] : usesIn(member)
    if (use !== undefined) found.push([name, use])
  }
  return found.length > 0 ? found.sort(([one], [other]) => (one < other ? -1 : 1)) : undefined
}

/** Characters of the part of a tag that names what can be edited. */
const editLength = 27
const useLength = 16

/**
 * The tag of a resource, of the JSON that it is answered with, without regard to the order of its members. Its first part
 * names what can be edited. Where something changes by use, a second part names that: a reader who asks whether anything
 * has changed must be told of a use, and an edit must not fail because of it.
 */
export function entityTag(body: object): string {
  const uses = usesIn(body)
  const use = uses === undefined ? '' : digest(JSON.stringify(uses)).slice(0, useLength)
  return `"${digest(canonicalJson(body, ofUse)).slice(0, editLength)}${use}"`
}

/** The part of a tag that names what can be edited; undefined for a weak tag, and for one that is not ours. */
function editPart(tag: string): string | undefined {
  return /^"([\w-]{27})(?:[\w-]{16})?"$/.exec(tag)?.[1]
}

/** The states that a condition names: any, or those of the tags. */
export type Tags = '*' | readonly string[]

const tagForm = /(?:W\/)?"[^"]*"/g

/** Reads `*` or a list of tags from the header `name`; undefined without it. */
export function readTags(
  name: 'If-Match' | 'If-None-Match',
  header: string | undefined,
): Tags | undefined | Problem {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags = header.match(tagForm)
  if (tags && /^[\s,]*$/.test(header.replace(tagForm, ''))) return tags
  return {
    problem: 'validation_error',
    message: `${name} must be * or the ETag of the resource in its quotes`,
  }
}

/**
 * The problem when If-Match does not name the state `current`. A weak tag (`W/"…"`) never does. What changes by use is not
 * compared.
 */
export function staleProblem(ifMatch: Tags, current: object): Problem | undefined {
  const wanted = editPart(entityTag(current))
  if (ifMatch === '*' || ifMatch.some(tag => editPart(tag) === wanted)) return undefined
  return {
    problem: 'precondition_failed',
    message: 'The resource is no longer what If-Match names. Read it again, and send its new ETag.',
  }
}

/** Whether If-None-Match names the state of `tag`, by the weak comparison: `W/` makes no difference (RFC 9110, 8.8.3.2). */
export function isUnchanged(ifNoneMatch: Tags, tag: string): boolean {
  return ifNoneMatch === '*' || ifNoneMatch.some(one => one.replace(/^W\//, '') === tag)
}
