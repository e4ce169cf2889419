// Takes out of a text what nobody else may read: known secrets, and whatever looks like a number, a message, a key or a code.

import { idPrefix } from '@callgate/contract/idPrefix'

/** What a secret may look like once it is in a URL or in JSON. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
]

/**
 * Ids stay whole: a run of digits in one is no number, and whoever helps looks for ids. They are those of contract's
 * newId, the id of a cloud's key (16 hexadecimal digits, with a letter), and a bootId behind its name. The usual rates of a
 * serial port stay, too.
 */
const ids = new RegExp(
  [
    `(?<!\\w)(?:${Object.values(idPrefix).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}(?!\\w)`,
    '(?<![\\w-])(?=\\d*[a-f])[0-9a-f]{16}(?![\\w-])',
    '(?<![\\w+.-]|\\d[ ()]+)(?:115200|230400|460800|921600)(?![\\w-])',
    '(?<=bootId["=: ]{1,4})[\\w-]{22}(?![\\w-])',
  ].join('|'),
  'g',
)

/** A letter of Crockford's Base32, in which the code of an enrolment is written. */
const letter = '[0-9A-HJKMNP-TV-Z]'

/**
 * Messages stand in hexadecimal, private keys in 43 letters of base64url. Phone numbers, IMEI, IMSI and ICCID are six
 * digits and more, or begin with a plus or a zero and are written in groups. Keys come first: one may hold what looks like a
 * message or a number, and its pieces would no longer look like a key.
 */
const looks: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '(key)'],
  [/(?<!\w)svc_[a-z]+_\w+/g, '(key)'],
  [new RegExp(`(?<!\\w)(?=[\\w-]*\\d)${letter}{6}-${letter}{6}-${letter}{6}(?!\\w)`, 'gi'), '(code)'],
  [new RegExp(`(?<!\\w)(?=\\w*\\d)${letter}{18}(?!\\w)`, 'g'), '(code)'],
  [/[0-9a-f]{20,}/gi, '(hexadecimal)'],
  [/(?<=\+(?:CMT|CMGR|CMGL|CUSD|CDS): ).+/g, '(message)'],
  [/\+\d[\d ().-]{6,}\d/g, '(number)'],
  [/(?<!\d)0\d{2,3}[ .-]\d{3}[ .-]\d{3,4}(?!\d)/g, '(number)'],
  [/\d{6,}/g, '(number)'],
]

const replaceAll = (text: string, known: readonly string[]) =>
  known.reduce((left, secret) => left.replaceAll(secret, '(secret)'), text)

/**
 * A function that redacts; `secrets` are taken out wherever they stand, but a PIN not from an id that holds the same four
 * digits by chance: whoever knows the id could read the PIN from the gap.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  // The longest first: one may hold another.
  const known = [...new Set(secrets.filter(secret => secret !== '').flatMap(spellings))].sort(
    (one, other) => other.length - one.length,
  )
  const isPin = (secret: string) => /^\d{4,8}$/.test(secret)
  const pins = known.filter(isPin)
  const others = known.filter(secret => !isPin(secret))
  // The PIN last: cut out of a longer number, it would leave pieces that no longer look like one.
  const clean = (text: string) =>
    replaceAll(
      looks.reduce((left, [look, word]) => left.replace(look, word), text),
      pins,
    )
  return text => {
    const open = replaceAll(text, others)
    const kept = open.match(ids) ?? []
    return open
      .split(ids)
      .map((between, place) => `${clean(between)}${kept[place] ?? ''}`)
      .join('')
  }
}
