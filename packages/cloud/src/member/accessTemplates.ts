// Templates of accesses: the list of a Space, read and saved as a whole. No access knows the one that it came from.

import { isDeepStrictEqual } from 'node:util'
import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { World } from '@callgate/world/world'
import { changeRow, showRow } from '../activity/changeRow.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'

type Sent = AppBodyOf<'saveAccessTemplates'>['templates'][number]

interface Templates {
  readonly spaceName: string
  readonly templates: AccessTemplate[]
}

async function readTemplates(db: Db, spaceId: string): Promise<Templates | undefined> {
  const row = await db('spaces')
    .leftJoin('accessTemplates', 'accessTemplates.spaceId', 'spaces.id')
    .where({ 'spaces.id': spaceId })
    .first('spaces.name', 'accessTemplates.templates')
  return row && { spaceName: row.name, templates: JSON.parse(row.templates ?? '[]') as AccessTemplate[] }
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** A bound would be the same day for everybody, whenever the access is given. */
const hasBound = (schedule: Schedule) =>
  schedule.type === 'one-shot' || schedule.startsAt !== undefined || schedule.expiresAt !== undefined

/** The templates in the stored form; or the problem of the first one that is wrong. */
function readSent(sent: readonly Sent[]): AccessTemplate[] | Problem {
  const read: AccessTemplate[] = []
  const names = new Set<string>()
  for (const [index, template] of sent.entries()) {
    const at = `templates[${index}].`
    const name = template.name.trim()
    const plain = name.toLowerCase()
    if (names.has(plain)) return invalid(`${at}name is in the list already`)
    names.add(plain)
    const one = readSchedules(template.schedules, `${at}schedules`)
    if (!one.ok) return one.problem
    const bound = one.schedules.findIndex(hasBound)
    if (bound >= 0)
      return invalid(`${at}schedules[${bound}] must have no bounds; endsAfterDays says when an access ends`)
    read.push({ ...template, name, schedules: [...one.schedules] })
  }
  return read
}

/** Which names of templates were added, changed and removed. */
function differences(before: readonly AccessTemplate[], after: readonly AccessTemplate[]) {
  const was = new Map(before.map(template => [template.name, template]))
  const names = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !was.has(name)).map(({ name }) => name),
    changed: after
      .filter(template => was.has(template.name) && !isDeepStrictEqual(was.get(template.name), template))
      .map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  }
}

/** The dashboard's operations on the templates of a Space. */
export function accessTemplateHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'listAccessTemplates' | 'saveAccessTemplates'> {
  const templatesOf = (spaceId: string) => ({
    find: (db: Db) => readTemplates(db, spaceId),
    none: notFound('Space'),
    show: ({ templates }: Templates) => ({ templates }),
  })
  return {
    listAccessTemplates: ({ principal: { spaceId } }) => showRow(database.knex, templatesOf(spaceId)),

    async saveAccessTemplates({ body, principal, stale, write }) {
      const { spaceId } = principal
      const wanted = readSent(body.templates)
      if (isProblem(wanted)) return wanted
      return changeRow(world, { principal, stale, write }, templatesOf(spaceId), async (before, tx) => {
        if (isDeepStrictEqual(before.templates, wanted)) return undefined
        const known: string[] = await tx('gates').where({ spaceId }).pluck('id')
        const missing = wanted.findIndex(({ gateIds }) => gateIds.some(id => !known.includes(id)))
        if (missing >= 0)
          return {
            problem: 'not_found',
            message: `templates[${missing}].gateIds: there is no gate with one of these ids.`,
          }
        await tx('accessTemplates')
          .insert({ spaceId, templates: JSON.stringify(wanted) })
          .onConflict('spaceId')
          .merge()
        const details = differences(before.templates, wanted)
        return {
          action: 'space.templates_changed',
          targetId: spaceId,
          targetLabel: before.spaceName,
          details,
        }
      })
    },
  }
}
