// The common parts of the operator's commands: their input, and their output.

import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Terminal } from './terminal.ts'

export interface CommandParts {
  readonly config: Config
  readonly database: Database
  readonly world: World
  readonly readSecret: Terminal['readSecret']
  readonly files: Terminal['files']
}

/** The output of a command. `json` is one object; `text` is for a person. `exitCode` is 0 unless it is given. */
export type Said =
  | { readonly ok: true; readonly json: object; readonly text: string; readonly exitCode?: number }
  | { readonly ok: false; readonly message: string }

export type Options = Readonly<Record<string, string | undefined>>
export type CommandWork = (parts: CommandParts, options: Options) => Promise<Said>
/** A command on the files themselves: no database is opened or created for it. */
export type FileWork = (parts: Omit<CommandParts, 'database'>, options: Options) => Promise<Said>

/** The actor in the activity log for the changes of commands. */
export const actor = 'operator'
export const refuse = (message: string): Said => ({ ok: false, message })

/** Rows in columns, below a heading. */
export function columns(heading: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  if (rows.length === 0) return 'There are none.'
  const all = [heading, ...rows].map(row => row.map(cell => cell ?? '-'))
  const widths = heading.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
