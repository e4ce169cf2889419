// Removes private data from a text: known secrets, and everything that looks like a number, a message, a key or a code.

import { idPrefix } from '@callgate/contract/idPrefix'

/** The forms of a secret in a URL or in JSON. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
]

/**
 * Ids stay whole, because helpers search for ids, and digits in an id are not a phone number. These are the ids of contract's
 * newId, the id of a cloud's key (16 hexadecimal digits, with a letter), and a bootId after its name. The usual rates of a serial
 * port stay, too.
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

/** A letter of Crockford's Base32, the alphabet of enrolment codes. */
const letter = '[0-9A-HJKMNP-TV-Z]'

/** The rest of a line of the modem, which ends with its log line, or with its text where the log line is JSON. */
const textEnd = '(?:,"\\w+":|\\})'
const rest = `(?:[^"\\n]|"(?!${textEnd}))*`
/** From the first quote on, after the name of a line that may hold the name of a person. */
const names = `(?<=\\+(?:CLCC|CLIP|CCWA|CNAP|CNUM|CPB[FRSW]|COLP)\\b[^"\\\\\\n]*)\\\\?"(?!${textEnd})${rest}`
/** From the area on, which tells with the cell where the modem is. */
const places = `(?<=\\+C[EG]?REG\\b[^"\\\\\\n]*)(?:\\\\?"(?!${textEnd})|[0-9A-F]{3})${rest}|(?<=\\+CPSI *: *(?:[^,"\\n]*,){3})${rest}`

/**
 * Messages are hexadecimal, private keys are 43 letters of base64url. Phone numbers, IMEI, IMSI and ICCID have six digits or
 * more, or begin with a plus or a zero and are written in groups. Keys come first: a key may contain text that looks like a
 * message or a number, and its remaining pieces would no longer look like a key.
 */
const looks: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '(key)'],
  [/(?<!\w)svc_[a-z]+_\w+/g, '(key)'],
  [new RegExp(`(?<!\\w)(?=[\\w-]*\\d)${letter}{6}-${letter}{6}-${letter}{6}(?!\\w)`, 'gi'), '(code)'],
  [new RegExp(`(?<!\\w)(?=\\w*\\d)${letter}{18}(?!\\w)`, 'g'), '(code)'],
  [/[0-9a-f]{20,}/gi, '(hexadecimal)'],
  // What the daemon has masked in part.
  [/\+?\d{2}\*{5}\d{3}/g, '(number)'],
  [/(?<=\/home\/)[^\s/"',:]+/g, '(name)'],
  [/(?<=\+(?:CMT|CMGR|CMGL|CUSD|CDS): ).+/g, '(message)'],
  [new RegExp(names, 'gi'), '(name)'],
  [new RegExp(places, 'gi'), '(place)'],
  [/\+\d[\d ().-]{6,}\d/g, '(number)'],
  [/(?<!\d)0\d{2,3}[ .-]\d{3}[ .-]\d{3,4}(?!\d)/g, '(number)'],
  [/\d{6,}/g, '(number)'],
]

const replaceAll = (text: string, known: readonly string[]) =>
  known.reduce((left, secret) => left.replaceAll(secret, '(secret)'), text)

/** The names of hosts stand alone: one may be a part of a common word. */
function withoutHosts(text: string, hosts: readonly string[]): string {
  return hosts.reduce((left, host) => {
    const name = host.replace(/[^\w]/g, '\\$&')
    return left.replace(new RegExp(`(?<![\\w.-])${name}(?![\\w-])`, 'gi'), '(host)')
  }, text)
}

/**
 * Makes a function that redacts. It removes `secrets` everywhere, except for a PIN inside an id that contains the same digits by
 * chance: from the gap, anyone who knows the id could read the PIN.
 */
export function redactor(
  secrets: readonly string[],
  hosts: readonly string[] = [],
): (text: string) => string {
  // The longest first, because one may contain another.
  const known = [...new Set(secrets.filter(secret => secret !== '').flatMap(spellings))].sort(
    (one, other) => other.length - one.length,
  )
  const isPin = (secret: string) => /^\d{4,8}$/.test(secret)
  const pins = known.filter(isPin)
  const others = known.filter(secret => !isPin(secret))
  // The PIN comes last: cut out of a longer number, it would leave pieces that no longer look like a number.
  const clean = (text: string) =>
    replaceAll(
      looks.reduce((left, [look, word]) => left.replace(look, word), text),
      pins,
    )
  return text => {
    const open = withoutHosts(replaceAll(text, others), hosts)
    const kept = open.match(ids) ?? []
    return open
      .split(ids)
      .map((between, place) => `${clean(between)}${kept[place] ?? ''}`)
      .join('')
  }
}
