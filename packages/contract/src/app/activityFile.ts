// The activity as a file for a spreadsheet.

import Type from 'typebox'
import { historyFields } from '../rest/paging.ts'
import { closed } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const { cursor: _, limit: __, ...fileFilters } = historyFields

export const activityFileAppOperations = {
  exportActivity: appOperation({
    ...appRoutes.exportActivity,
    role: 'admin',
    rateClass: 'read',
    summary:
      'Write the administrative actions that fit the filters as a file for a spreadsheet, newest first',
    text: "CSV in UTF-8. `time` is the wall clock of the Space's zone, `details` is JSON. No cell begins a formula.",
    query: closed(fileFilters),
    answers: { 200: Type.String({ contentMediaType: 'text/csv' }) },
    isFile: true,
    problems: [],
  }),
}
