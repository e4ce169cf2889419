// The message (SMS) by which a gate module lets a number in, brand by brand; only those whose manual was read.

/** What stands in a message in the place of what only the owner of the module knows. It is never typed here. */
export const placeholders = { password: '[password]', place: '[place]' } as const

interface Brand {
  readonly name: string
  /** The message for a number in E.164. */
  readonly message: (number: string) => string
  /** The manual that says so. */
  readonly source: string
  /** What its owner has to know, as keys of the words. */
  readonly notes: readonly ('place' | 'capitals' | 'fromAdmin')[]
}

const { password, place } = placeholders
/** The international prefix, for modules that know no plus sign. */
const with00 = (number: string) => number.replace('+', '00')
const bare = (number: string) => number.replace('+', '')

export const moduleBrands: readonly Brand[] = [
  {
    name: 'ELDES ESIM120, ESIM320',
    message: number => `${password} N:${bare(number)}`,
    source: 'ELDES Gate Controller ESIM120/ESIM320, user manual, page 44',
    notes: ['fromAdmin'],
  },
  {
    name: 'Jablotron GD-04 DAVID',
    message: number => `${password},ADX,${number}`,
    source: 'GD-04 DAVID, manual MKS51203, table 1',
    notes: [],
  },
  {
    name: 'King Pigeon RTU5025',
    message: number => `${password}A${place}#${with00(number)}#`,
    source: 'King Pigeon RTU5025, manual 1.5, section 6.2.0',
    notes: ['place', 'capitals'],
  },
  {
    name: 'RTU5024 (#TEL)',
    message: number => `${password}#TEL${with00(number)}#${place}#`,
    source: 'RTU5024, manual, section 6.2',
    notes: ['place', 'capitals'],
  },
  {
    name: 'TELL Gate Control 20',
    message: number => `PWD=${password}#TEL=${number}#`,
    source: 'TELL Gate Control 20, quick guide, page 7',
    notes: ['capitals'],
  },
]
