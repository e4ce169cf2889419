// Limits: the lengths, ranges and counts of what people type, as plain data for the schemas and for the pages, which have
// no schemas.

/** The least and the most that is taken: characters of a text, items of a list, or the number itself. */
export interface Limit {
  readonly least: number
  readonly most: number
}

const from = (least: number, most: number): Limit => ({ least, most })
const upTo = (most: number): Limit => from(0, most)

const name = from(1, 120)
const email = upTo(254)
const oldPassword = upTo(1024)
const time = upTo(45_000)
const seconds45 = from(1_000, 45_000)

/** By noun and field. A text is measured in code points after it is trimmed. */
export const limits = {
  gate: { name, phoneNumber: from(1, 64), location: upTo(200), description: upTo(500) },
  /** Milliseconds. */
  profile: {
    setupTimeoutMs: from(5_000, 25_000),
    maxRingMs: seconds45,
    ringHangupMs: seconds45,
    ringTimeMs: time,
    reactMinMs: time,
    reactMaxMs: time,
    holdMs: upTo(15_000),
    answerNotAfterMs: time,
    coolDownMs: upTo(60_000),
  },
  /** After how many seconds a gate moved. */
  testCall: { afterS: upTo(120) },
  gateway: { name, callerNumber: from(1, 64) },
  sim: { warnBelow: upTo(100_000_000) },
  apiKey: { name, scopes: from(1, 12), gateIds: from(1, 100) },
  webhook: { url: from(9, 500), description: upTo(120), types: from(1, 100) },
  member: { name, email, phone: upTo(32), note: upTo(1000), accesses: upTo(100) },
  memberEdit: { memberIds: from(1, 200) },
  /** `templates`: of one Space. */
  template: { templates: upTo(50), name, gateIds: upTo(100), endsAfterDays: from(1, 3_650) },
  access: { schedules: from(1, 20), maxUsage: from(1, 2_147_483_647) },
  schedule: { timeWindows: from(1, 10) },
  /** What members, and presses, are looked for by. */
  search: { text: upTo(120) },
  user: { name, email },
  account: { name, password: upTo(1024), currentPassword: oldPassword },
  signIn: { email: from(3, 254), password: oldPassword, code: upTo(32) },
  passkey: { name: from(1, 60) },
  space: {
    name,
    timezone: upTo(64),
    contactName: name,
    contactPhone: upTo(32),
    allowedCountries: upTo(250),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Limit>>>>

/** How long a new password has to be, in code points. Beside a second factor it need not stand alone. */
export const passwordLengths = { alone: from(15, 256), besideSecondFactor: from(8, 256) }

/** Digits of a phone number with its country, as E.164 has it. */
export const phoneDigits = from(8, 15)
