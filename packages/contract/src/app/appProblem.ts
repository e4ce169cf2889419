// App problems: the one body shape of every error that an operation of the dashboard answers with.

import Type from 'typebox'
import { type AppProblemCode, appOnlyCodes, problemCodes } from '../rest/problem.ts'
import { closed, growingWords } from '../text.ts'
import { refusalNames } from './refusals.ts'

/** As the body of the REST API, with the codes that only the dashboard has as well. */
export const AppProblemBody = closed({
  error: closed({
    code: growingWords(Object.keys({ ...problemCodes, ...appOnlyCodes }) as AppProblemCode[]),
    message: Type.String({ description: 'What happened and what would be right, for a person' }),
    refusal: Type.Optional(
      closed(
        {
          name: growingWords(refusalNames),
          values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        },
        {
          description:
            'The message, for a page in another language: which it is, and what its text has places for',
        },
      ),
    ),
    ticket: Type.Optional(Type.String({ description: 'Of `second_factor_needed`: for `signInWithCode`' })),
  }),
})
