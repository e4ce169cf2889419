// The options with a schema. Only commands that have one of them load this file, because schemas are slow to load.

import { limits } from '@callgate/contract/limits'
import { atMost, closed, line, mailedName } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'

export const checkName = checker(
  closed({ name: mailedName(limits.space.name, atMost(limits.space.name)) }),
  'the options',
)

/** Guests dial the number with a tap: digits, and the usual punctuation between them. */
export const checkContact = checker(
  closed({
    phone: {
      type: 'string',
      minLength: 1,
      maxLength: limits.space.contactPhone.most,
      pattern: '^\\s*\\+?[0-9][0-9 ()./-]*$',
      examples: ['+40 21 555 0100'],
    },
  }),
  'the options',
)

export const checkInstant = checker(
  closed({ at: { ...line({ least: 1, most: 30 }, 'A time'), format: 'date-time' } }),
  'the options',
)

export const checkWhy = checker(closed({ why: line({ least: 1, most: 200 }, 'A reason') }), 'the options')
