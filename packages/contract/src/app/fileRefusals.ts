// Refusals of the file of members: what is wrong with a line, or with the whole file. Columns are named as the file names them.

/** The heading that the file has for a column. */
interface InColumn {
  readonly column: string
}

export const fileRefusals = {
  file_quotes: () => 'The quotes of a cell are wrong: a quote in a cell is written twice.',
  file_column_unknown: ({ column, known }: InColumn & { readonly known: string }) =>
    `The column ${column} is not known; there are ${known}.`,
  file_column_twice: ({ column, other }: InColumn & { readonly other: string }) =>
    `The columns ${other} and ${column} say the same. Keep one of them.`,
  file_without_names: ({ known }: { readonly known: string }) =>
    `The first line names the columns: ${known}. name is missing.`,
  file_long: ({ most }: { readonly most: number }) =>
    `A file may have ${most} lines, and this one has more. Split it.`,
  file_wide: ({ most }: { readonly most: number }) =>
    `A line may have ${most} cells, and this one has more. Take away the empty ones.`,
  file_line: ({ line }: { readonly line: number }) => `Line ${line} was refused, so nothing was changed.`,
  file_line_long: () => 'The line has more cells than the first line.',
  file_empty: () => 'The file names no member.',
  file_gate_id: ({ column }: InColumn) => `${column}: there is no gate with this id.`,
  file_gate_twice: ({ column }: InColumn) =>
    `${column}: several gates have this name. Name the gate by its id, in a column gateId.`,
  file_gate_unknown: ({ column }: InColumn) => `${column}: there is no gate with this name.`,
  file_gate_missing: ({ column }: InColumn) =>
    `${column}: an access needs its gate. For a member without an access, leave the columns after the gate empty as well.`,
  file_gate_again: ({ column }: InColumn) =>
    `${column}: the member has this gate already. Write all its hours in one line, with ; between them.`,
  file_is_active: ({ column }: InColumn) => `${column} must be yes or no`,
  file_max_usage: ({ column }: InColumn) =>
    `${column} must be a whole number from 1 to 2147483647, or empty for no limit`,
  file_schedules: ({ column }: InColumn) =>
    `${column} must be like "Mon-Fri 08:00-18:00", "Mon-Fri 07:00-19:00; Sat Sun" or "always"`,
  file_differs: ({ column }: InColumn) => `${column} differs from the line before of this member.`,
  file_apart: ({ column }: InColumn) => `${column}: the lines of a member stand one after the other.`,
  file_member_unknown: ({ column }: InColumn) =>
    `${column}: there is no member with this id. Leave it empty for a new member.`,
  file_member_off: ({ column }: InColumn) =>
    `${column}: the member is deactivated. Reactivate the member first.`,
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
