// Refusals of the file of members: what is wrong with a line, or with the whole file. Columns are named as the file names them.

export const fileRefusals = {
  file_quotes: () => 'The quotes of a cell are wrong: a quote in a cell is written twice.',
  file_column_unknown: ({ column, known }: { readonly column: string; readonly known: string }) =>
    `The column ${column} is not known; there are ${known}.`,
  file_without_names: ({ known }: { readonly known: string }) =>
    `The first line names the columns: ${known}. name is missing.`,
  file_long: ({ lines, most }: { readonly lines: number; readonly most: number }) =>
    `A file may have ${most} lines, and this one has ${lines}. Split it.`,
  file_line: ({ line }: { readonly line: number }) => `Line ${line} was refused, so nothing was changed.`,
  file_line_long: () => 'The line has more cells than the first line.',
  file_empty: () => 'The file names no member.',
  file_gate_id: () => 'gateId: there is no gate with this id.',
  file_gate_twice: () => 'gate: several gates have this name. Give the gateId.',
  file_gate_unknown: () => 'gate: there is no gate with this name.',
  file_gate_missing: () =>
    'gate: an access needs its gate. Leave schedules, maxUsage and isActive empty as well for none.',
  file_gate_again: () => 'gate: the member has this gate already. Give it further schedules there.',
  file_is_active: () => 'isActive must be yes or no',
  file_schedules: () => 'schedules must be like "weekdays 07:00-19:00; Fri,Sat 22:00-06:00", always, or JSON',
  file_differs: ({ column }: { readonly column: string }) =>
    `${column} differs from the line before of this member.`,
  file_apart: () => 'id: the lines of a member stand one after the other.',
  file_member_unknown: () => 'id: there is no member with this id. Leave it empty for a new member.',
  file_member_off: () => 'id: the member is deactivated. Reactivate the member first.',
  file_invitations: ({
    created,
    left,
    resetsAt,
  }: {
    readonly created: number
    readonly left: number
    readonly resetsAt: string
  }) => `The file has ${created} new members, and ${left} invitations are left until ${resetsAt}.`,
}
