// Entity tags: the ETag of one resource, and the conditions that name it: If-Match of a change, If-None-Match of a read
// (RFC 9110, 8.8.3, 13.1.1 and 13.1.2).

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { canonicalJson } from '../core/canonicalJson.ts'

/** Members that change by use and cannot be edited: an edit must not fail because of them. */
const ofUse: ReadonlySet<string> = new Set([
  'openCount',
  'lastOpenedAt',
  'usageCount',
  'lastUsedAt',
  'lastSeenAt',
  'preferredLanguage',
  'now',
])

/** The texts of integrators are one value, whatever names they have. */
const asOneText = (thing: unknown) =>
  typeof thing === 'object' && thing !== null && 'metadata' in thing
    ? { ...thing, metadata: canonicalJson(thing.metadata) }
    : thing

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The members that change by use, with their paths; undefined where there are none. */
function usesIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const found: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const use = ofUse.has(name) ? [member] : usesIn(member)
    if (use !== undefined) found.push([name, use])
  }
  return found.length > 0 ? found.sort(([one], [other]) => (one < other ? -1 : 1)) : undefined
}

/** The length in characters of the part of a tag that names the editable state. */
const editLength = 27
const useLength = 16

/**
 * The tag of a resource, from the JSON of its answer, independent of the order of its members. The first part names the editable
 * state. Where members change by use, a second part names those: a read with If-None-Match must notice a use, and an edit with
 * If-Match must not fail because of it.
 */
export function entityTag(answer: object): string {
  const body = Object.fromEntries(Object.entries(answer).map(([name, thing]) => [name, asOneText(thing)]))
  const uses = usesIn(body)
  const use = uses === undefined ? '' : digest(JSON.stringify(uses)).slice(0, useLength)
  return `"${digest(canonicalJson(body, ofUse)).slice(0, editLength)}${use}"`
}

/** The part of a tag that names the editable state; undefined for a weak tag, and for a tag of another form. */
function editPart(tag: string): string | undefined {
  return /^"([\w-]{27})(?:[\w-]{16})?"$/.exec(tag)?.[1]
}

/** The states that a condition names: any state, or those of the tags. */
export type Tags = '*' | readonly string[]

const tagForm = /(?:W\/)?"[^"]*"/g

/** Reads `*` or a list of tags from the header `name`; undefined without the header. */
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
 * The problem when If-Match does not name the state `current`. A weak tag (`W/"…"`) never does. Members that change by use are
 * not compared.
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
