// App problems: the one body shape of every error that an operation of the dashboard answers with.

import Type from 'typebox'
import {
  type AppProblemCode,
  appOnlyCodes,
  moreOfProblem,
  problemCodes,
  type Refusal,
} from '../rest/problem.ts'
import { closed, growingWords } from '../text.ts'
import { refusalNames } from './refusals.ts'

/** The content of an English message, for a page in another language. */
export const Refusals = Type.Unsafe<readonly Refusal[]>(
  Type.Array(
    closed({
      name: growingWords(refusalNames),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
    {
      description:
        'The message, for a page in another language: what it says, and what the texts have places for',
    },
  ),
)

/** Like the body of the REST API, plus the codes that only the dashboard has. */
export const AppProblemBody = closed({
  error: closed({
    code: growingWords(Object.keys({ ...problemCodes, ...appOnlyCodes }) as AppProblemCode[]),
    message: Type.String({ description: 'What happened and what would be right, for a person' }),
    ...moreOfProblem,
    refusals: Type.Optional(Refusals),
    ticket: Type.Optional(Type.String({ description: 'Of `second_factor_needed`: for `signInWithCode`' })),
  }),
})
