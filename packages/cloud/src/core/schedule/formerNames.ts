// Former names: names that no IANA list has, but which Node accepted as zones when Callgate still asked Node.

/**
 * Abbreviations with a different common meaning (BST is British summer time): schedules never accepted them, but a Space could be
 * created with one. The list also has names that IANA has dropped.
 */
const present: Readonly<Record<string, string>> = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Maputo',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Nairobi',
  ECT: 'Europe/Paris',
  IET: 'America/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Saigon',
  'SYSTEMV/AST4': 'Etc/GMT+4',
  'SYSTEMV/AST4ADT': 'America/Halifax',
  'SYSTEMV/CST6': 'Etc/GMT+6',
  'SYSTEMV/CST6CDT': 'America/Chicago',
  'SYSTEMV/EST5': 'Etc/GMT+5',
  'SYSTEMV/EST5EDT': 'America/New_York',
  'SYSTEMV/HST10': 'Etc/GMT+10',
  'SYSTEMV/MST7': 'Etc/GMT+7',
  'SYSTEMV/MST7MDT': 'America/Denver',
  'SYSTEMV/PST8': 'Etc/GMT+8',
  'SYSTEMV/PST8PDT': 'America/Los_Angeles',
  'SYSTEMV/YST9': 'Etc/GMT+9',
  'SYSTEMV/YST9YDT': 'America/Anchorage',
}

/** Names that IANA has dropped: schedules accepted them, and still do. */
const dropped: Readonly<Record<string, string>> = {
  'CANADA/EAST-SASKATCHEWAN': 'America/Regina',
  'US/PACIFIC-NEW': 'America/Los_Angeles',
}

/** The present name of the zone that `name` meant; the same name where nothing has changed. */
export function presentName(name: string): string {
  const key = name.toUpperCase()
  return present[key] ?? dropped[key] ?? name
}

/** Whether a name is accepted only where it is stored already, and refused in a request. */
export function isFormerName(name: string): boolean {
  return Object.hasOwn(present, name.toUpperCase())
}
