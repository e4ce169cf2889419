// The cause of a call's end, as modems give it in the reply to AT+CEER.

import { fieldsOf } from './fields.ts'

/**
 * 3GPP TS 24.008 10.5.4.11, and the short forms of firmware. Only letters are compared, because firmware differs in punctuation.
 */
const names: Readonly<Record<string, number>> = {
  'unassigned unallocated number': 1,
  'unassigned number': 1,
  'no route to destination': 3,
  'channel unacceptable': 6,
  'operator determined barring': 8,
  'normal call clearing': 16,
  'normal clearing': 16,
  'user busy': 17,
  'no user responding': 18,
  'user alerting no answer': 19,
  'subscriber absent': 20,
  'call rejected': 21,
  'number changed': 22,
  'call rejected due to feature at the destination': 24,
  'pre emption': 25,
  'non selected user clearing': 26,
  'destination out of order': 27,
  'invalid number format incomplete number': 28,
  'invalid number format': 28,
  'invalid incomplete number': 28,
  'facility rejected': 29,
  'response to status enquiry': 30,
  'normal unspecified': 31,
  'no circuit channel available': 34,
  'network out of order': 38,
  'temporary failure': 41,
  'switching equipment congestion': 42,
  'access information discarded': 43,
  'requested circuit channel not available': 44,
  'resources unavailable unspecified': 47,
  'quality of service unavailable': 49,
  'requested facility not subscribed': 50,
  'incoming calls barred within the cug': 55,
  'bearer capability not authorized': 57,
  'bearer capability not presently available': 58,
  'service or option not available unspecified': 63,
  'bearer service not implemented': 65,
  'acm equal to or greater than acmmax': 68,
  'requested facility not implemented': 69,
  'only restricted digital information bearer capability is available': 70,
  'service or option not implemented unspecified': 79,
  'invalid transaction identifier value': 81,
  'user not member of cug': 87,
  'incompatible destination': 88,
  'invalid transit network selection': 91,
  'semantically incorrect message': 95,
  'invalid mandatory information': 96,
  'message type non existent or not implemented': 97,
  'message type not compatible with protocol state': 98,
  'information element non existent or not implemented': 99,
  'conditional ie error': 100,
  'message not compatible with protocol state': 101,
  'recovery on timer expiry': 102,
  'protocol error unspecified': 111,
  'interworking unspecified': 127,
}

/** The texts of modems that have no cause. */
const noCause: ReadonlySet<string> = new Set([
  ...[
    '',
    'unknown',
    'none',
    'cause',
    'no error',
    'no cause',
    'no cause information available',
    'no report available',
  ],
])

const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(/^(?:cm|cause) (?=.)/, '')
    .replaceAll('authorised', 'authorized')

const numbered = /^(?:cause *[:=]? *)?(\d{1,3})(?:$| *[a-z])/i

/** Texts of the data connection, which has causes of its own with the same numbers and words. */
const ofData = /^(?:SM|GMM|EMM|ESM|PDP) /i

/**
 * The cause of the last call: `Cause:17` (SIM800), a number with its name (A76XX: `"16 Normal call clearing"`; others with `"CC
 * …",` before it), or a name alone. Null where the modem has none up to 127; `unknown` where it names one that is in no table.
 * Two numbers, as in Quectel's `5,36`, belong to the data connection.
 */
export function causeReading(line: string | undefined): number | 'unknown' | null {
  const [first = '', ...rest] = fieldsOf(line, '+CEER')
  if (ofData.test(first)) return null
  const [given = '', ...behind] = /^CC /i.test(first) ? rest : [first, ...rest]
  const number = numbered.exec(given)?.[1]
  const isOfCall = behind[0] === undefined || !/^-?\d/.test(behind[0])
  if (number !== undefined) return isOfCall && Number(number) <= 127 ? Number(number) : null
  const words = lettersOf([first, ...rest].join(' '))
  return noCause.has(words) ? null : (names[words] ?? 'unknown')
}
