// The modem's settings as data: factory value, allowed values, and which survive a restart.

/** `auto`: kept at once; `profile`: kept by AT&W; `none`: lost at a restart (SIM800 AT manual V1.09, "Save" columns). */
type Save = 'auto' | 'profile' | 'none'

interface Setting {
  readonly factory: string
  readonly save: Save
  readonly allows: RegExp
  /** The answer to the test form (`=?`). */
  readonly range: string
  /** ATZ and AT&F leave it unchanged. */
  readonly stays?: true
}

function setting(factory: string, save: Save, range: string, allows: RegExp, stays?: true): Setting {
  return stays ? { factory, save, range, allows, stays } : { factory, save, range, allows }
}

const upTo = (highest: number) => new RegExp(`^[0-${highest}]$`)
const numbers = /^\d{1,3}(,\d{1,3}){0,4}$/

const settings: ReadonlyMap<string, Setting> = new Map([
  ['E', setting('1', 'profile', '', upTo(1))],
  ['V', setting('1', 'profile', '', upTo(1))],
  ['Q', setting('0', 'profile', '', upTo(1))],
  ['X', setting('4', 'profile', '', upTo(4))],
  ['S0', setting('0', 'profile', '', /^\d{1,3}$/)],
  ['S3', setting('13', 'profile', '', /^13$/)],
  ['S4', setting('10', 'profile', '', /^10$/)],
  ['S5', setting('8', 'profile', '', /^8$/)],
  ['S7', setting('60', 'profile', '', /^\d{1,3}$/)],
  ['&C', setting('1', 'profile', '', upTo(1))],
  ['&D', setting('1', 'profile', '', upTo(2))],
  ['+CMEE', setting('0', 'profile', '(0,1,2)', upTo(2))],
  [
    '+IPR',
    setting('0', 'profile', '(),(0,1200,2400,4800,9600,19200,38400,57600,115200)', /^(0|\d{4,6})$/, true),
  ],
  ['+IFC', setting('2,2', 'profile', '(0-2),(0-2)', /^[0-2](,[0-2])?$/)],
  ['+CSCLK', setting('0', 'profile', '(0-2)', upTo(2), true)],
  ['+CFUN', setting('1', 'auto', '(0,1,4),(0,1)', /^[014]$/)],
  ['+CREG', setting('0', 'profile', '(0-2)', upTo(2))],
  ['+CGREG', setting('0', 'profile', '(0-2)', upTo(2))],
  ['+CLCC', setting('0', 'auto', '(0,1)', upTo(1))],
  ['+MORING', setting('0', 'profile', '(0,1)', upTo(1))],
  ['+COLP', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CEER', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CLIP', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CLIR', setting('0', 'none', '(0-2)', upTo(2))],
  ['+CRC', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CSSN', setting('0,0', 'none', '(0,1),(0,1)', /^[01](,[01])?$/)],
  ['+CDRIND', setting('0', 'none', '(0,1)', upTo(1))],
  ['+GSMBUSY', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CIURC', setting('1', 'profile', '(0,1)', upTo(1))],
  ['+CSCS', setting('"IRA"', 'profile', '("IRA","GSM","UCS2","HEX")', /^"(IRA|GSM|UCS2|HEX)"$/)],
  ['+CMGF', setting('0', 'profile', '(0,1)', upTo(1))],
  ['+CNMI', setting('2,1,0,0,0', 'profile', '(0-3),(0-3),(0,2),(0,1),(0,1)', numbers)],
  ['+CSCA', setting('"+40744946000",145', 'auto', '', /^"\+?\d{3,15}"(,\d{1,3})?$/)],
  ['+CLTS', setting('0', 'profile', '(0,1)', upTo(1))],
  ['+CMTE', setting('0', 'profile', '(0,1)', upTo(1))],
  ['+CBATCHK', setting('0', 'profile', '(0,1)', upTo(1))],
  ['+CGATT', setting('1', 'auto', '(0,1)', upTo(1))],
  ['+CEREG', setting('0', 'profile', '(0-2)', upTo(2))],
  ['+CIREG', setting('0', 'none', '(0-2)', upTo(2))],
  ['+QSCLK', setting('0', 'none', '(0,1)', upTo(1))],
  ['+CVHU', setting('1', 'profile', '(0,1)', upTo(1))],
  ['^DSCI', setting('0', 'none', '(0,1)', upTo(1))],
  [
    '+QINDCFG',
    setting('"ccinfo",0', 'none', '', /^"(all|ccinfo|csq|smsfull|ring|smsincoming)",[01](,[01])?$/),
  ],
  ['+CUSD', setting('0', 'none', '', upTo(1))],
  ['+CSMS', setting('0', 'profile', '', upTo(1))],
  [
    '+CSMP',
    setting(
      '17,167,0,0',
      'profile',
      '(0,1,17,33,49,81,113),(0-255),(0-255),(0-255)',
      /^\d{0,3}(,\d{0,3}){0,3}$/,
    ),
  ],
  ['+CPBS', setting('"SM"', 'none', '', /^"(SM|FD|LD|MC|RC|ON|ME|EN)"$/)],
  ['+CCWA', setting('0', 'none', '', upTo(1))],
  ['+CLVL', setting('60', 'auto', '(0-100)', /^(100|\d{1,2})$/)],
  ['+CMUT', setting('0', 'none', '(0,1)', upTo(1))],
  ['+DDET', setting('0', 'none', '(0,1)', numbers)],
])

export interface Settings {
  readonly factory: ReadonlyMap<string, string>
  readonly current: Map<string, string>
  /** The values after a restart: the stored profile and the settings that save themselves. */
  readonly stored: Map<string, string>
}

/** The factory settings; a model may have values of its own. */
export function newSettings(ofFamily: Readonly<Record<string, string>>): Settings {
  const factory = new Map([...settings].map(([name, { factory }]) => [name, ofFamily[name] ?? factory]))
  return { factory, current: new Map(factory), stored: new Map(factory) }
}

/** The current value; empty for a name that is no setting. */
export function settingOf({ current }: Settings, name: string): string {
  return current.get(name) ?? ''
}

/** The names of all settings that some model has. */
export const settingNames = (): Iterable<string> => settings.keys()

/** The answer to `AT+X=?` after the name; undefined for a name that is no setting. */
export function settingRange(name: string): string | undefined {
  return settings.get(name)?.range
}

/** Sets one; false when there is no such setting or it does not take that value. */
export function changeSetting({ current, stored }: Settings, name: string, value: string): boolean {
  const known = settings.get(name)
  if (!known?.allows.test(value)) return false
  current.set(name, value)
  if (known.save === 'auto') stored.set(name, value)
  return true
}

/** AT&W. */
export function storeProfile({ current, stored }: Settings): void {
  for (const [name, { save }] of settings) if (save === 'profile') stored.set(name, current.get(name) ?? '')
}

/** ATZ loads the stored profile, AT&F the factory values; settings that save themselves or stay are unchanged. */
export function resetProfile(values: Settings, to: 'stored' | 'factory'): void {
  for (const [name, { save, stays }] of settings)
    if (save === 'profile' && !stays) values.current.set(name, values[to].get(name) ?? '')
}

/** The values that are left after a loss of power. */
export function restartSettings({ factory, current, stored }: Settings): void {
  for (const [name, { save }] of settings)
    current.set(name, (save === 'none' ? factory : stored).get(name) ?? '')
}
