// Former names: what no IANA list has, but Node took for a zone when Callgate still asked Node.

/**
 * Abbreviations that mean something else to most people (British summer time is BST): a schedule never took them, but a Space
 * could be made with one. And names that IANA has dropped.
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

/** Names of IANA that it has dropped: they were taken in schedules, and still are. */
const dropped: Readonly<Record<string, string>> = {
  'CANADA/EAST-SASKATCHEWAN': 'America/Regina',
  'US/PACIFIC-NEW': 'America/Los_Angeles',
}

/** The name that means today what `name` meant; the same where nothing has changed. */
export function presentName(name: string): string {
  const key = name.toUpperCase()
  return present[key] ?? dropped[key] ?? name
}

/** Whether a name is only understood where it is stored already, and refused when it is sent. */
export function isFormerName(name: string): boolean {
  return Object.hasOwn(present, name.toUpperCase())
}
