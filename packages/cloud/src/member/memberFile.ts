// The file of members: what a line says of a member and of an access, written and read.

import type { MemberView } from '@callgate/contract/app/member'
import {
  AccessLine,
  type ImportPlan,
  type MemberColumn,
  MemberLine,
  memberColumns,
  mostLines,
} from '@callgate/contract/app/memberFile'
import { sayRefusal } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { checker, shownName } from '@callgate/contract/validate'
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

/** What is wrong with a file. */
export type Fault = ImportPlan['faults'][number]
/** What is wrong, wherever it stands. */
type Wrong = Omit<Fault, 'line'>

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

/** What a refusal says, as it is answered. */
const wrongOf = ({ message, refusals }: Pick<Problem, 'message' | 'refusals'>): Wrong => ({
  message,
  ...(refusals && { refusals }),
})

const checkMember = checker(MemberLine, 'the line')
const checkAccess = checker(AccessLine, 'the line')
/** The lines by the names of their columns; or what is wrong with the file as a whole. */
function readLines(text: string): { readonly lines: readonly Line[] } | Extract<ReadFile, { ok: false }> {
  const read = readCsv(text)
  const fault = (line: number | null, wrong: Wrong) => ({ ok: false as const, faults: [{ line, ...wrong }] })
  if (!read.ok) return fault(read.line, sayRefusal('file_quotes'))
  const [heading, ...rows] = read.rows
  const names = (heading ?? []).map(name => name.trim())
  const unknown = names.find(name => name !== '' && !memberColumns.includes(name as MemberColumn))
  const known = memberColumns.join(', ')
  if (unknown !== undefined)
    return fault(1, sayRefusal('file_column_unknown', { column: shownName(unknown), known }))
  if (!names.includes('name')) return fault(1, sayRefusal('file_without_names', { known }))
  if (rows.length > mostLines)
    return fault(null, sayRefusal('file_long', { most: mostLines, lines: rows.length }))
  const long = rows.findIndex(
    row => row.length > names.length && row.slice(names.length).some(cell => cell !== ''),
  )
  if (long >= 0) return fault(long + 2, sayRefusal('file_line_long'))
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
function gateOf({ gate, gateId }: Line['cells'], gates: readonly Gate[]): Gate | Wrong {
  const [id, name] = [gateId.trim(), gate.trim()]
  if (id !== '') return gates.find(one => one.id === id) ?? sayRefusal('file_gate_id')
  const found = gates.filter(one => one.name === name)
  if (found.length > 1) return sayRefusal('file_gate_twice')
  return found[0] ?? sayRefusal('file_gate_unknown')
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
): FileAccess | Wrong | undefined {
  const { gate, gateId, isActive, maxUsage, schedules } = cells
  if ([gate, gateId].every(cell => cell.trim() === ''))
    return [schedules, maxUsage, isActive].some(cell => cell.trim() !== '')
      ? sayRefusal('file_gate_missing')
      : undefined
  const found = gateOf(cells, gates)
  if ('message' in found) return found
  const isOn = answers[isActive.trim().toLowerCase()]
  if (isOn === undefined) return sayRefusal('file_is_active')
  const inputs = scheduleInputs(schedules, timezone)
  if (!inputs) return sayRefusal('file_schedules')
  const cap = maxUsage.trim()
  const sent = { schedules: inputs, maxUsage: cap === '' ? null : /^\d{1,10}$/.test(cap) ? Number(cap) : cap }
  const checked = checkAccess(sent)
  if (!checked.ok) return wrongOf(checked)
  const read = readSchedules(checked.value.schedules ?? [], 'schedules')
  if (!read.ok) return wrongOf(read.problem)
  const { maxUsage: most = null } = checked.value
  return { line, gateId: found.id, schedules: read.schedules, maxUsage: most, isActive: isOn }
}

/** The member of some lines, and what is wrong with them. */
function readMember(lines: readonly Line[], around: Surroundings): { member?: FileMember; faults: Fault[] } {
  const [first] = lines
  if (!first) return { faults: [] }
  const { email, id, name, note, phone } = first.cells
  const checked = checkMember({ name, email: orNull(email), phone: orNull(phone), note: orNull(note) })
  const faults: Fault[] = checked.ok ? [] : [{ line: first.line, ...wrongOf(checked) }]
  const accesses: FileAccess[] = []
  for (const one of lines) {
    const differs = (['name', 'email', 'phone', 'note'] as const).find(
      field => one.cells[field].trim() !== '' && one.cells[field].trim() !== first.cells[field].trim(),
    )
    if (differs) faults.push({ line: one.line, ...sayRefusal('file_differs', { column: differs }) })
    const access = readAccess(one, around)
    if (access && 'message' in access) faults.push({ line: one.line, ...access })
    else if (access && accesses.some(({ gateId }) => gateId === access.gateId))
      faults.push({ line: one.line, ...sayRefusal('file_gate_again') })
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
    if (id !== undefined && ids.has(id)) faults.push({ line, ...sayRefusal('file_apart') })
    if (id !== undefined) ids.add(id)
    if (one.member) members.push(one.member)
  }
  if (members.length === 0 && faults.length === 0)
    return { ok: false, faults: [{ line: null, ...sayRefusal('file_empty') }] }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, members }
}
