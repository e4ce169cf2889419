// App problems: the one body shape of every error that an operation of the dashboard answers with.

import Type from 'typebox'
import { type AppProblemCode, appOnlyCodes, problemCodes } from '../rest/problem.ts'
import { closed, growingWords } from '../text.ts'

/** As the body of the REST API, with the codes that only the dashboard has as well. */
export const AppProblemBody = closed({
  error: closed({
    code: growingWords(Object.keys({ ...problemCodes, ...appOnlyCodes }) as AppProblemCode[]),
    message: Type.String({ description: 'What happened and what would be right, for a person' }),
    ticket: Type.Optional(Type.String({ description: 'Of `second_factor_needed`: for `signInWithCode`' })),
  }),
})
