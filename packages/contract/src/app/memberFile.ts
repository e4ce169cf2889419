// The file of members: written for a spreadsheet, and read again, all or nothing.

import Type, { type Static } from 'typebox'
import { AccessUpdate } from '../rest/access.ts'
import { MemberUpdate } from '../rest/member.ts'
import { closed } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { Refusals } from './appProblem.ts'
import { appRoutes } from './appRoutes.ts'

/** The columns of the file, in their order. Each access has a line of its own. */
export const memberColumns = [
  'id',
  'name',
  'email',
  'phone',
  'note',
  'gateId',
  'gate',
  'schedules',
  'maxUsage',
  'isActive',
] as const
export type MemberColumn = (typeof memberColumns)[number]

/** The most lines of one file, without its heading. */
export const mostLines = 1_000

/** What the first line of a member says of the member. */
export const MemberLine = closed({
  ...MemberUpdate.properties,
  name: Type.Required(MemberUpdate).properties.name,
})
/** What a line says of an access. */
export const AccessLine = closed(AccessUpdate.properties)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ImportPlan = closed({
  isDone: Type.Boolean({ description: 'Whether the changes were made' }),
  created: count('New members, each of which counts as an invitation'),
  changed: count('Members who are changed, or whose accesses are'),
  unchanged: count('Members who are as the file says already'),
  accessesAdded: count('To members who are there already'),
  accessesChanged: count('Of members who are there already'),
  accessesRevoked: count('Those that a member has and the file does not'),
  mails: count('Mails that are sent where `sendsMails` is true'),
  faults: Type.Array(
    closed({
      lines: Type.Array(Type.Integer({ minimum: 1 }), {
        maxItems: mostLines,
        description:
          'Every line with it, as a spreadsheet counts: the heading is line 1. Empty: the whole file',
      }),
      message: Type.String({ description: 'Which field is wrong, and what would be right' }),
      refusals: Type.Optional(Refusals),
    }),
    { maxItems: 100, description: 'What is wrong. With any of them nothing is changed' },
  ),
})
export type ImportPlan = Static<typeof ImportPlan>

export const memberFileAppOperations = {
  exportMembers: appOperation({
    ...appRoutes.exportMembers,
    role: 'admin',
    rateClass: 'read',
    summary: 'Write the active members with their accesses as a file for a spreadsheet',
    text: 'CSV in UTF-8, a line for each access. No cell begins a formula, and no piece of a cell after a semicolon, a tab or a line break does: an apostrophe stands before it, which the import takes off. Read again by the import, it changes nothing.',
    answers: { 200: Type.String({ contentMediaType: 'text/csv' }) },
    isFile: true,
    problems: [],
  }),
  importMembers: appOperation({
    ...appRoutes.importMembers,
    role: 'admin',
    rateClass: 'write',
    summary: 'Read a file of members: what it would change, or all of it',
    text: `At most ${mostLines} lines. The first one names the columns, in any case and in the languages of the dashboard. Lines with one id, one after the other, are one member; so are lines without an id with the same name, e-mail and phone. The lines of a member are all accesses: one that is missing is revoked. Who is not in the file stays as they are.`,
    mostBodyBytes: 1024 * 1024,
    body: closed({
      file: Type.String({ description: 'The text of the file: with commas, semicolons or tabs' }),
      isDryRun: Type.Boolean({ description: 'True: nothing is changed' }),
      sendsMails: Type.Boolean({
        description: 'Whether new members, and members with new accesses, get a mail',
      }),
    }),
    answers: { 200: ImportPlan },
    problems: ['conflict'],
  }),
}
