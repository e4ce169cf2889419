// The reactions of gate modules to a message (SMS), as their manuals describe them: "Gate modules" in
// packages/modem/docs/sim800.md has the sources.

/** A module that accepts messages. */
export interface Listening {
  readonly brand: ListeningBrand
  readonly password: string
  /** Who may send, where only administrators may; absent: anybody who knows the password. */
  readonly admins?: readonly string[]
  /** Absent: 4 s. For a late answer, longer than anybody waits. */
  readonly answersAfterMs?: number
  /** The form of its answer; absent: one message of letters of seven bits, from its own number. */
  readonly answers?: 'ucs2' | 'parts' | 'fromOtherNumber' | 'never'
}

interface Obeyed {
  /** The number that it acts for from now on. */
  readonly letIn?: string
  /** Null: it sends no answer. */
  readonly reply: string | null
}

interface ListeningModule {
  /** A message that is one of its commands: its password, the number, and the place in its list. */
  readonly command: RegExp
  /** Its letters may be small or capital. */
  readonly ignoresCase?: true
  readonly takesAdminsOnly?: true
  readonly says: (number: string, place: string) => string | null
  /** Its answer to a command with a wrong password. */
  readonly saysToWrongPassword: string | null
}

const modules = {
  // It does not answer; from memory.
  eldes_esim120: {
    command: /^(?<password>\d{4}) N:(?<number>\d{8,15})$/,
    takesAdminsOnly: true,
    says: () => null,
    saysToWrongPassword: null,
  },
  jablotron_gd04: {
    command: /^(?<password>\w{2,8}), ?ADX, ?(?<number>\+\d{8,15})$/i,
    ignoresCase: true,
    says: () => 'PROGRAM OK',
    saysToWrongPassword: null,
  },
  // Its words; from memory.
  king_pigeon_rtu5025: {
    command: /^(?<password>\d{4})A(?<place>\d{3})#(?<number>00\d{8,15})#$/,
    says: (number, place) => `Set Success! ${place}:${number}`,
    saysToWrongPassword: null,
  },
  rtu5024: {
    command: /^(?<password>\d{4})#TEL(?<number>00\d{8,15})#(?<place>\d{3})#$/,
    says: (number, place) => `${place}:${number}`,
    saysToWrongPassword: null,
  },
  tell_gate_control_20: {
    command: /^PWD=(?<password>\d{4,8})#TEL=(?<number>\+\d{8,15})#$/,
    says: () => '1 user(s) added',
    saysToWrongPassword: 'Wrong password',
  },
} as const satisfies Record<string, ListeningModule>

export type ListeningBrand = keyof typeof modules
export const listeningBrands = Object.keys(modules) as ListeningBrand[]

/** Its reaction to a message; undefined: none at all. */
export function obeyed(listening: Listening, from: string, text: string): Obeyed | undefined {
  const { admins, brand } = listening
  const module: ListeningModule = modules[brand]
  const { number = '', password = '', place = '' } = module.command.exec(text)?.groups ?? {}
  if (number === '' || (module.takesAdminsOnly && !admins?.includes(from))) return undefined
  const [given, set] = [password, listening.password].map(one =>
    module.ignoresCase ? one.toUpperCase() : one,
  )
  const reply = (said: string | null) => (listening.answers === 'never' ? null : said)
  if (given !== set) return { reply: reply(module.saysToWrongPassword) }
  return { letIn: `+${number.replace(/^(?:\+|00)/, '')}`, reply: reply(module.says(number, place)) }
}
