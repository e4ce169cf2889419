// Templates of accesses: hours, an end and a cap under a name, with gates or without, for whoever gives accesses on the dashboard.

import Type, { type Static } from 'typebox'
import { GateId } from '../ids.ts'
import { limits } from '../limits.ts'
import { AccessUpdate } from '../rest/access.ts'
import { Schedule } from '../rest/schedule.ts'
import { between, characters, closed, items, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const { template } = limits
const { maxUsage, schedules } = Type.Required(AccessUpdate).properties

const fields = {
  name: Type.String({ ...characters(template.name), description: 'Unlike the others, whatever the case' }),
  gateIds: Type.Array(GateId, {
    ...items(template.gateIds),
    uniqueItems: true,
    description: 'The gates that it gives; empty: whoever gives it chooses',
  }),
  endsAfterDays: nullable(
    Type.Integer({
      ...between(template.endsAfterDays),
      description: 'How many days an access lasts, the day that it is given included; null: without an end',
    }),
  ),
  maxUsage,
}
const AccessTemplate = closed({ ...fields, schedules: Type.Array(Schedule) })
export type AccessTemplate = Static<typeof AccessTemplate>

const answer = closed({ templates: Type.Array(AccessTemplate, { description: 'In the order of the list' }) })

export const accessTemplateAppOperations = {
  listAccessTemplates: appOperation({
    ...appRoutes.listAccessTemplates,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the templates of accesses',
    text: 'For the dashboard alone: an access knows nothing of the template that it came from.',
    answers: { 200: answer },
    problems: [],
  }),
  saveAccessTemplates: appOperation({
    ...appRoutes.saveAccessTemplates,
    role: 'admin',
    rateClass: 'write',
    summary: 'Save the whole list of templates',
    text: 'It changes no access. A schedule of a template has no bounds of its own, as `endsAfterDays` says when an access ends. Send If-Match: without it, the change of another admin is overwritten.',
    mostBodyBytes: 1024 * 1024,
    mostBodyLevels: 10,
    body: closed({
      templates: Type.Array(closed({ ...fields, schedules }), {
        ...items(template.templates),
        description: 'The whole list',
      }),
    }),
    answers: { 200: answer },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  }),
}
