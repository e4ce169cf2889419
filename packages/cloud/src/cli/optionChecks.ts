// The options that have a schema. Only commands that are given one load this file, since schemas are slow to load.

import { closed, line, mailedName } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'

export const checkName = checker(
  closed({ name: mailedName(1, 120, 'At most 120 characters') }),
  'the options',
)

/** Guests dial it with a tap: digits, and the punctuation that people put between them. */
export const checkContact = checker(
  closed({
    phone: {
      type: 'string',
      minLength: 1,
      maxLength: 32,
      pattern: '^\\s*\\+?[0-9][0-9 ()./-]*$',
      examples: ['+40 21 555 0100'],
    },
  }),
  'the options',
)

export const checkInstant = checker(
  closed({ at: { ...line(1, 30, 'A time'), format: 'date-time' } }),
  'the options',
)
