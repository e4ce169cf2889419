// The file of members: what a line says of a member and of an access, written and read.

import type { MemberView } from '@callgate/contract/app/member'
import {
  AccessLine,
  type MemberColumn,
  MemberLine,
  memberColumns,
  mostLines,
} from '@callgate/contract/app/memberFile'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { checker } from '@callgate/contract/validate'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import { scheduleInputs, scheduleText } from '../core/schedule/scheduleText.ts'
import { readCsv } from '../text/csv.ts'

export interface Gate {
  readonly id: string
  readonly name: string
}

/** The lines of a member, as cells. */
export function linesOf(
  {
    accesses,
    email,
    id,
    name,
    note,
    phone,
  }: Pick<MemberView, 'accesses' | 'email' | 'id' | 'name' | 'note' | 'phone'>,
  { gates, timezone }: { readonly gates: ReadonlyMap<string, string>; readonly timezone: string },
): string[][] {
  const person = [id, name, email ?? '', phone ?? '', note ?? '']
  if (accesses.length === 0) return [[...person, '', '', '', '', '']]
  return accesses.map(({ gateId, isActive, maxUsage, schedules }) => [
    ...person,
    gateId,
    gates.get(gateId) ?? '',
    scheduleText(schedules, timezone),
    maxUsage === null ? '' : String(maxUsage),
    isActive ? 'yes' : 'no',
  ])
}

/** What is wrong with a file. `line`: as a spreadsheet counts; null: not of a line. */
export interface Fault {
  readonly line: number | null
  readonly message: string
}

/** An access as its line says, checked. */
export interface FileAccess {
  readonly line: number
  readonly gateId: string
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
  readonly isActive: boolean
}

/** A member as the lines say, checked. Without an id: a new one. */
export interface FileMember {
  readonly line: number
  readonly id: string | undefined
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly note: string | null
  readonly accesses: readonly FileAccess[]
}

interface Line {
  readonly line: number
  readonly cells: Readonly<Record<MemberColumn, string>>
}

type ReadFile =
  | { readonly ok: true; readonly members: readonly FileMember[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

const checkMember = checker(MemberLine, 'the line')
const checkAccess = checker(AccessLine, 'the line')
const refuse = (line: number | null, message: string): ReadFile => ({
  ok: false,
  faults: [{ line, message }],
})

/** The lines by the names of their columns; or what is wrong with the file as a whole. */
function readLines(text: string): { readonly lines: readonly Line[] } | Extract<ReadFile, { ok: false }> {
  const read = readCsv(text)
  const fault = (line: number | null, message: string) => ({
    ok: false as const,
    faults: [{ line, message }],
  })
  if (!read.ok) return fault(read.line, read.message)
  const [heading, ...rows] = read.rows
  const names = (heading ?? []).map(name => name.trim())
  const unknown = names.find(name => name !== '' && !memberColumns.includes(name as MemberColumn))
  const known = memberColumns.join(', ')
  if (unknown !== undefined) return fault(1, `The column ${unknown} is not known; there are ${known}.`)
  if (!names.includes('name')) return fault(1, `The first line names the columns: ${known}. name is missing.`)
  if (rows.length > mostLines)
    return fault(null, `A file may have ${mostLines} lines, and this one has ${rows.length}. Split it.`)
  const long = rows.findIndex(
    row => row.length > names.length && row.slice(names.length).some(cell => cell !== ''),
  )
  if (long >= 0) return fault(long + 2, 'The line has more cells than the first line.')
  const cellsOf = (row: readonly string[]) =>
    Object.fromEntries(memberColumns.map(name => [name, row[names.indexOf(name)] ?? ''])) as Line['cells']
  return { lines: rows.map((row, place) => ({ line: place + 2, cells: cellsOf(row) })) }
}

const orNull = (text: string) => (text.trim() === '' ? null : text)

/** What makes lines one member. */
function keyOf({ cells: { email, id, name, phone } }: Line): string {
  return id.trim() === '' ? JSON.stringify([name.trim(), email.trim(), phone.trim()]) : id.trim()
}

/** What the file is read beside. */
export interface Surroundings {
  readonly gates: readonly Gate[]
  readonly timezone: string
}

/** The gate that a line names, by its id or else by its name; or what is wrong with it. */
function gateOf({ gate, gateId }: Line['cells'], gates: readonly Gate[]): Gate | string {
  const [id, name] = [gateId.trim(), gate.trim()]
  if (id !== '') return gates.find(one => one.id === id) ?? 'gateId: there is no gate with this id.'
  const found = gates.filter(one => one.name === name)
  if (found.length > 1) return 'gate: several gates have this name. Give the gateId.'
  return found[0] ?? 'gate: there is no gate with this name.'
}

const answers: Readonly<Record<string, boolean>> = {
  '': true,
  yes: true,
  true: true,
  no: false,
  false: false,
}

/** The access of a line; undefined where it has none; or what is wrong with it. */
function readAccess(
  { cells, line }: Line,
  { gates, timezone }: Surroundings,
): FileAccess | string | undefined {
  const { gate, gateId, isActive, maxUsage, schedules } = cells
  if ([gate, gateId].every(cell => cell.trim() === ''))
    return [schedules, maxUsage, isActive].some(cell => cell.trim() !== '')
      ? 'gate: an access needs its gate. Leave schedules, maxUsage and isActive empty as well for none.'
      : undefined
  const found = gateOf(cells, gates)
  if (typeof found === 'string') return found
  const isOn = answers[isActive.trim().toLowerCase()]
  if (isOn === undefined) return 'isActive must be yes or no'
  const inputs = scheduleInputs(schedules, timezone)
  if (!inputs) return 'schedules must be like "weekdays 07:00-19:00; Fri,Sat 22:00-06:00", always, or JSON'
  const cap = maxUsage.trim()
  const sent = { schedules: inputs, maxUsage: cap === '' ? null : /^\d{1,10}$/.test(cap) ? Number(cap) : cap }
  const checked = checkAccess(sent)
  if (!checked.ok) return checked.message
  const read = readSchedules(checked.value.schedules ?? [], 'schedules')
  if (!read.ok) return read.message
  const { maxUsage: most = null } = checked.value
  return { line, gateId: found.id, schedules: read.schedules, maxUsage: most, isActive: isOn }
}

/** The member of some lines, and what is wrong with them. */
function readMember(lines: readonly Line[], around: Surroundings): { member?: FileMember; faults: Fault[] } {
  const [first] = lines
  if (!first) return { faults: [] }
  const { email, id, name, note, phone } = first.cells
  const checked = checkMember({ name, email: orNull(email), phone: orNull(phone), note: orNull(note) })
  const faults: Fault[] = checked.ok ? [] : [{ line: first.line, message: checked.message }]
  const accesses: FileAccess[] = []
  for (const one of lines) {
    const differs = (['name', 'email', 'phone', 'note'] as const).find(
      field => one.cells[field].trim() !== '' && one.cells[field].trim() !== first.cells[field].trim(),
    )
    if (differs)
      faults.push({ line: one.line, message: `${differs} differs from the line before of this member.` })
    const access = readAccess(one, around)
    if (typeof access === 'string') faults.push({ line: one.line, message: access })
    else if (access && accesses.some(({ gateId }) => gateId === access.gateId))
      faults.push({
        line: one.line,
        message: 'gate: the member has this gate already. Give it further schedules there.',
      })
    else if (access) accesses.push(access)
  }
  if (!checked.ok) return { faults }
  const { email: address = null, name: called, note: noted = null, phone: number = null } = checked.value
  const given = id.trim()
  const member = { line: first.line, id: given === '' ? undefined : given, name: called, accesses }
  return { member: { ...member, email: address, phone: number, note: noted }, faults }
}

/** Lines that stand one after the other and are one member. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const [first] = group ?? []
    if (group && first && keyOf(first) === keyOf(line)) group.push(line)
    else groups.push([line])
  }
  return groups
}

/** The members that a file names, in turns of the event loop; or all that is wrong with it. */
export async function readMemberFile(
  text: string,
  around: Surroundings,
  giveWay: () => Promise<void>,
): Promise<ReadFile> {
  const read = readLines(text)
  if (!('lines' in read)) return read
  const members: FileMember[] = []
  const faults: Fault[] = []
  const ids = new Set<string>()
  for (const [place, group] of groupsOf(read.lines).entries()) {
    if (place % 20 === 0) await giveWay()
    const one = readMember(group, around)
    faults.push(...one.faults)
    const { id, line = 0 } = one.member ?? {}
    if (id !== undefined && ids.has(id))
      faults.push({ line, message: 'id: the lines of a member stand one after the other.' })
    if (id !== undefined) ids.add(id)
    if (one.member) members.push(one.member)
  }
  if (members.length === 0 && faults.length === 0) return refuse(null, 'The file names no member.')
  return faults.length > 0 ? { ok: false, faults } : { ok: true, members }
}
