// The file of members: the text of a line about a member and an access, written and read.

import type { MemberView } from '@callgate/contract/app/appMember'
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
import { columnOf } from './memberColumnNames.ts'

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

/** A fault, without its position. */
type Wrong = Omit<ImportPlan['faults'][number], 'lines'>
/** A fault in a line of a file; null: in the whole file. */
export type Fault = Wrong & { readonly line: number | null }

/** A checked access from a line. */
export interface FileAccess {
  readonly line: number
  readonly gateId: string
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
  readonly isActive: boolean
}

/** A checked member from some lines. Without an id: a new one. */
export interface FileMember {
  readonly line: number
  readonly id: string | undefined
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly note: string | null
  readonly accesses: readonly FileAccess[]
}

type ByColumn = Readonly<Record<MemberColumn, string>>

interface Line {
  readonly line: number
  readonly cells: ByColumn
  /** The file's name of each column; a missing column has our own name. */
  readonly heads: ByColumn
}

type ReadFile =
  | { readonly ok: true; readonly members: readonly FileMember[]; readonly heads: ByColumn }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** The faults of a schema's refusal, with the file's name of the column instead of our field's. */
function wrongOf({ message, refusals }: Pick<Problem, 'message' | 'refusals'>, heads: ByColumn): Wrong {
  const headOf = (field: string) => {
    const [name = ''] = field.split(/[.[]/, 1)
    return Object.hasOwn(heads, name) ? heads[name as MemberColumn] : field
  }
  const named = refusals?.map(({ name, values }) => ({
    name,
    values: { ...values, ...('field' in values && { field: headOf(String(values['field'])) }) },
  }))
  return { message: message.replace(/(?<=^|; )\w[\w.[\]]*/g, headOf), ...(named && { refusals: named }) }
}

/** The most cells of one line. A spreadsheet may add empty ones. */
const mostCells = 100

const checkMember = checker(MemberLine, 'the line')
const checkAccess = checker(AccessLine, 'the line')
/** The lines by the names of their columns; or the fault of the file as a whole. */
function readLines(
  text: string,
): { readonly lines: readonly Line[]; readonly heads: ByColumn } | Extract<ReadFile, { ok: false }> {
  const read = readCsv(text, { mostRows: 1 + mostLines, mostCells })
  const fault = (line: number | null, wrong: Wrong) => ({ ok: false as const, faults: [{ line, ...wrong }] })
  if (!read.ok && read.why === 'rows') return fault(null, sayRefusal('file_long', { most: mostLines }))
  if (!read.ok)
    return fault(
      read.line,
      read.why === 'quotes' ? sayRefusal('file_quotes') : sayRefusal('file_wide', { most: mostCells }),
    )
  const [heading, ...rows] = read.rows
  const names = (heading ?? []).map(name => name.trim())
  const columns = names.map(columnOf)
  const unknown = names.find((name, place) => name !== '' && !columns[place])
  const known = memberColumns.join(', ')
  if (unknown !== undefined)
    return fault(1, sayRefusal('file_column_unknown', { column: shownName(unknown), known }))
  const again = columns.findIndex((column, place) => column && columns.indexOf(column) < place)
  const [other, column] = [columns.indexOf(columns[again]), again].map(place => shownName(names[place] ?? ''))
  if (other !== undefined && column !== undefined && again >= 0)
    return fault(1, sayRefusal('file_column_twice', { column, other }))
  if (!columns.includes('name')) return fault(1, sayRefusal('file_without_names', { known }))
  const long = rows.findIndex(
    row => row.length > names.length && row.slice(names.length).some(cell => cell !== ''),
  )
  if (long >= 0) return fault(long + 2, sayRefusal('file_line_long'))
  const byColumn = (of: (column: MemberColumn, place: number) => string) =>
    Object.fromEntries(memberColumns.map(name => [name, of(name, columns.indexOf(name))])) as ByColumn
  const heads = byColumn((name, place) => shownName(names[place] ?? name))
  const cellsOf = (row: readonly string[]) => byColumn((_, place) => row[place] ?? '')
  return { lines: rows.map((row, place) => ({ line: place + 2, cells: cellsOf(row), heads })), heads }
}

const orNull = (text: string) => (text.trim() === '' ? null : text)

/** The value by which lines belong to one member. */
function keyOf({ cells: { email, id, name, phone } }: Line): string {
  return id.trim() === '' ? JSON.stringify([name.trim(), email.trim(), phone.trim()]) : id.trim()
}

/** The context of the file. */
export interface Surroundings {
  readonly gates: readonly Gate[]
  readonly timezone: string
}

/** The gate of a line, by its id or else by its name; or the fault. */
function gateOf({ cells, heads }: Line, gates: readonly Gate[]): Gate | Wrong {
  const [id, name] = [cells.gateId.trim(), cells.gate.trim()]
  if (id !== '')
    return gates.find(one => one.id === id) ?? sayRefusal('file_gate_id', { column: heads.gateId })
  const found = gates.filter(one => one.name === name)
  if (found.length > 1) return sayRefusal('file_gate_twice', { column: heads.gate })
  return found[0] ?? sayRefusal('file_gate_unknown', { column: heads.gate })
}

/** In the languages of the dashboard. */
const answers: Readonly<Record<string, boolean>> = {
  '': true,
  yes: true,
  true: true,
  da: true,
  no: false,
  false: false,
  nu: false,
}

/** The access of a line; undefined where it has none; or the fault. */
function readAccess(given: Line, { gates, timezone }: Surroundings): FileAccess | Wrong | undefined {
  const { cells, heads, line } = given
  const { gate, gateId, isActive, maxUsage, schedules } = cells
  if ([gate, gateId].every(cell => cell.trim() === ''))
    return [schedules, maxUsage, isActive].some(cell => cell.trim() !== '')
      ? sayRefusal('file_gate_missing', { column: heads.gate })
      : undefined
  const found = gateOf(given, gates)
  if ('message' in found) return found
  const isOn = answers[isActive.trim().toLowerCase()]
  if (isOn === undefined) return sayRefusal('file_is_active', { column: heads.isActive })
  const inputs = scheduleInputs(schedules, timezone)
  if (!inputs) return sayRefusal('file_schedules', { column: heads.schedules })
  const cap = maxUsage.trim()
  if (!/^(\d{1,10})?$/.test(cap)) return sayRefusal('file_max_usage', { column: heads.maxUsage })
  const checked = checkAccess({ schedules: inputs, maxUsage: cap === '' ? null : Number(cap) })
  if (!checked.ok) return wrongOf(checked, heads)
  const read = readSchedules(checked.value.schedules ?? [], 'schedules')
  if (!read.ok) return wrongOf(read.problem, heads)
  const { maxUsage: most = null } = checked.value
  return { line, gateId: found.id, schedules: read.schedules, maxUsage: most, isActive: isOn }
}

/** The member of some lines, and their faults. */
function readMember(lines: readonly Line[], around: Surroundings): { member?: FileMember; faults: Fault[] } {
  const [first] = lines
  if (!first) return { faults: [] }
  const { heads } = first
  const { email, id, name, note, phone } = first.cells
  const checked = checkMember({ name, email: orNull(email), phone: orNull(phone), note: orNull(note) })
  const faults: Fault[] = checked.ok ? [] : [{ line: first.line, ...wrongOf(checked, heads) }]
  const accesses: FileAccess[] = []
  for (const one of lines) {
    const differs = (['name', 'email', 'phone', 'note'] as const).find(
      field => one.cells[field].trim() !== '' && one.cells[field].trim() !== first.cells[field].trim(),
    )
    if (differs) faults.push({ line: one.line, ...sayRefusal('file_differs', { column: heads[differs] }) })
    const access = readAccess(one, around)
    if (access && 'message' in access) faults.push({ line: one.line, ...access })
    else if (access && accesses.some(({ gateId }) => gateId === access.gateId))
      faults.push({ line: one.line, ...sayRefusal('file_gate_again', { column: heads.gate }) })
    else if (access) accesses.push(access)
  }
  if (!checked.ok) return { faults }
  const { email: address = null, name: called, note: noted = null, phone: number = null } = checked.value
  const given = id.trim()
  const member = { line: first.line, id: given === '' ? undefined : given, name: called, accesses }
  return { member: { ...member, email: address, phone: number, note: noted }, faults }
}

/** Groups of successive lines that belong to one member. */
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

/** The members of a file, read in turns of the event loop; or all of its faults. */
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
      faults.push({ line, ...sayRefusal('file_apart', { column: read.heads.id }) })
    if (id !== undefined) ids.add(id)
    if (one.member) members.push(one.member)
  }
  if (members.length === 0 && faults.length === 0)
    return { ok: false, faults: [{ line: null, ...sayRefusal('file_empty') }] }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, members, heads: read.heads }
}
