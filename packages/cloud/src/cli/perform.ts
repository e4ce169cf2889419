// Runs one of the operator's commands: with its configuration, its data, and its output.

import { realWorld } from '@callgate/world/real'
import { readConfig } from '../config.ts'
import { type Database, explained } from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { openFound } from '../database/foundDatabase.ts'
import { migrate } from '../database/migrate.ts'
import { openData } from '../database/openData.ts'
import type { CommandWork, FileWork, Options } from './commandWork.ts'
import type { Terminal } from './terminal.ts'

/** How long a command waits while another program writes to the database, milliseconds. */
const lockedWithinMs = 10_000

async function checkedName(name: string | undefined) {
  if (name === undefined) return undefined
  const { checkName } = await import('./optionChecks.ts')
  return checkName({ name })
}

/** Replaces control characters: a gateway or a network may have sent any text, and none of them may reach the terminal. */
const printable = (text: string) => text.replace(/[^\P{Cc}\n]/gu, '�')

/** Runs the command on the files and prints the result. */
export async function performOnFiles(terminal: Terminal, options: Options, work: FileWork): Promise<void> {
  const fail = (message: string) => {
    terminal.complain(message)
    terminal.exitWith(1)
  }
  const read = readConfig(terminal.environment)
  if (!read.ok) return fail(read.message)
  const { config } = read
  const named = await checkedName(options['name'])
  if (named && !named.ok) return fail(`--${named.message}.`)
  try {
    const world = realWorld({ logLevel: config.logLevel })
    const parts = { config, world, readSecret: terminal.readSecret, files: terminal.files }
    const said = await work(parts, named ? { ...options, name: named.value.name } : options)
    if (!said.ok) return fail(said.message)
    if (said.exitCode) terminal.exitWith(said.exitCode)
    else if (options['quiet']) return
    terminal.print(options['json'] ? JSON.stringify(said.json) : printable(said.text))
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    fail(error.message)
  }
}

/**
 * How a command opens its data. `create`: the database is created where there is none, and migrated. `mustExist`: it must exist
 * already, in the newest version. `readOnly`: the same, and nothing is written.
 */
export type Data = 'create' | 'mustExist' | 'readOnly'

/** Opens the data, runs the command and prints the result. */
export function perform(terminal: Terminal, options: Options, work: CommandWork, data: Data): Promise<void> {
  return performOnFiles(terminal, options, async (parts, given) => {
    const { config, world } = parts
    const url = config.databaseUrl
    let database: Database | undefined
    try {
      const onWait = () =>
        terminal.complain(
          `Another program writes to the database; waiting for up to ${lockedWithinMs / 1000} s.`,
        )
      const patience = { world, withinMs: lockedWithinMs, onWait }
      if (data === 'create') {
        database = await openData({ url, world, patience })
        await migrate(database, () =>
          terminal.complain('Another process changes the tables of the database; waiting for it.'),
        )
      } else
        database = await openFound({ url, world, patience, ...(data === 'readOnly' && { onlyReads: true }) })
      return await work({ ...parts, database }, given)
    } catch (error) {
      throw explained(error, url)
    } finally {
      await database?.close()
    }
  })
}
