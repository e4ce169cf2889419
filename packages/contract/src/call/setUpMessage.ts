// Set-up messages (SMS) that register a number in a gate module, brand by brand; only for modules whose manual was read.

/** The placeholder in a message for a value that only the owner of the module knows. */
export const placeholders = { password: '[password]', place: '[place]' } as const

interface SetUpMessageInput {
  readonly password: string
  /** The place in the module's list. */
  readonly place: string
}

interface Brand {
  readonly name: string
  /** The message for a number in E.164. */
  readonly message: (number: string, given: SetUpMessageInput) => string
  /** The manual that says so. */
  readonly source: string
  /** What its owner has to know, as keys of the words. */
  readonly notes: readonly ('place' | 'capitals' | 'fromAdmin')[]
  /** What its password can be; what a gateway sends in its place. */
  readonly password: RegExp
  /** Its password before anybody has changed it, where a manual was read that says so. */
  readonly asDelivered: string | null
  /** What its place can be, where its message has one. */
  readonly place: RegExp | null
}

/** The international prefix, for modules that know no plus sign. */
const with00 = (number: string) => number.replace('+', '00')
const bare = (number: string) => number.replace('+', '')

const fourDigits = /^[0-9]{4}$/
const threeDigits = /^[0-9]{3}$/

/** By the words that travel. */
export const moduleBrands = {
  eldes_esim120: {
    name: 'ELDES ESIM120, ESIM320',
    message: (number, { password }) => `${password} N:${bare(number)}`,
    source: 'ELDES Gate Controller ESIM120/ESIM320, user manual, page 44',
    notes: ['fromAdmin'],
    password: fourDigits,
    asDelivered: null,
    place: null,
  },
  jablotron_gd04: {
    name: 'Jablotron GD-04 DAVID',
    message: (number, { password }) => `${password},ADX,${number}`,
    source: 'GD-04 DAVID, manual MKS51203, table 1',
    notes: [],
    // An access code of 2 to 8 characters.
    password: /^[0-9A-Za-z]{2,8}$/,
    asDelivered: 'PC',
    place: null,
  },
  king_pigeon_rtu5025: {
    name: 'King Pigeon RTU5025',
    message: (number, { password, place }) => `${password}A${place}#${with00(number)}#`,
    source: 'King Pigeon RTU5025, manual 1.5, section 6.2.0',
    notes: ['place', 'capitals'],
    password: fourDigits,
    asDelivered: null,
    place: threeDigits,
  },
  rtu5024: {
    name: 'RTU5024 (#TEL)',
    message: (number, { password, place }) => `${password}#TEL${with00(number)}#${place}#`,
    source: 'RTU5024, manual, section 6.2',
    notes: ['place', 'capitals'],
    password: fourDigits,
    asDelivered: '1234',
    place: threeDigits,
  },
  tell_gate_control_20: {
    name: 'TELL Gate Control 20',
    message: (number, { password }) => `PWD=${password}#TEL=${number}#`,
    source: 'TELL Gate Control 20, quick guide, page 7',
    notes: ['capitals'],
    password: /^[0-9]{4,8}$/,
    asDelivered: null,
    place: null,
  },
} as const satisfies Record<string, Brand>

export type ModuleBrandId = keyof typeof moduleBrands

/** In the order in which they are shown. */
export const moduleBrandIds = Object.keys(moduleBrands) as ModuleBrandId[]

/** The fault in the values for a brand; undefined when there is none. */
export function wrongGiven(
  id: ModuleBrandId,
  { password, place }: { readonly password: string; readonly place: string | null },
): 'password' | 'place' | undefined {
  const brand: Brand = moduleBrands[id]
  if (!brand.password.test(password)) return 'password'
  if (brand.place === null ? place !== null : !brand.place.test(place ?? '')) return 'place'
  return undefined
}

/**
 * The message that a gateway sends, from its brand, the caller number and the given values; undefined where one of them does not
 * fit. It never contains free text.
 */
export function setUpMessage(
  id: ModuleBrandId,
  callerNumber: string,
  given: { readonly password: string; readonly place: string | null },
): string | undefined {
  if (!/^\+[1-9][0-9]{7,14}$/.test(callerNumber) || wrongGiven(id, given) !== undefined) return undefined
  const brand: Brand = moduleBrands[id]
  return brand.message(callerNumber, { password: given.password, place: given.place ?? '' })
}

/** The message for a person to send, with placeholders for the values that are not typed yet. */
export const messageToComplete = (
  id: ModuleBrandId,
  callerNumber: string,
  { password, place }: SetUpMessageInput = { password: '', place: '' },
): string =>
  moduleBrands[id].message(callerNumber, {
    password: password || placeholders.password,
    place: place || placeholders.place,
  })

/** The separators between digits of one number: blanks, dots, dashes, slashes or brackets. */
const between = String.raw`[ \t\u00a0./()-]{0,3}`
/** Digits of a number, of a place with a number behind it, or of a password; also in groups. */
const digits = new RegExp(String.raw`\+?\d(?:${between}\d){3,}`, 'g')

interface Hidden {
  readonly from: number
  readonly to: number
  readonly isNumber: boolean
}

/** The positions of the password: also in groups, and overlapping ones, as in a row of zeros. */
function passwordsIn(text: string, password: string): readonly Hidden[] {
  const grouped = password.replace(/(?<=\d)(?=\d)/g, () => between)
  return [...text.matchAll(new RegExp(`(?=(${grouped}))`, 'gi'))].map(({ 1: found = '', index }) => ({
    from: index,
    to: index + found.length,
    isNumber: false,
  }))
}

/** The positions of more than three digits: all but the last three of a number. */
function numbersIn(text: string): readonly Hidden[] {
  return [...text.matchAll(digits)].map(({ 0: found, index }) => {
    const isNumber = found.replaceAll(/\D/g, '').length > 8
    const shown = isNumber ? (/(?:\d\D*){3}$/.exec(found)?.[0].length ?? 0) : 0
    return { from: index, to: index + found.length - shown, isNumber }
  })
}

/**
 * A module's answer in a form that may be stored and shown: without its password, and with at most the last three digits of each
 * number.
 */
export function shownModuleAnswer(text: string, password = ''): string {
  const hidden = [...numbersIn(text), ...(password === '' ? [] : passwordsIn(text, password))]
  let shown = ''
  let at = 0
  for (const { from, isNumber, to } of hidden.sort((one, other) => one.from - other.from)) {
    if (to <= at) continue
    if (from > at || at === 0) shown += `${text.slice(at, from)}${isNumber ? '*****' : '****'}`
    at = to
  }
  return shown + text.slice(at)
}
