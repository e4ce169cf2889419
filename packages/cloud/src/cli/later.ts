// Adds the commands of one file, which is loaded when one of its commands is run.

import type { Command } from 'commander'
import type { CommandWork, Options, Said } from './commandWork.ts'
import type { Data } from './perform.ts'

/** Adds a command with its work below `parent`. */
export type AddCommand = (
  parent: Command,
  name: string,
  summary: string,
  work: CommandWork,
  data?: Data,
) => Command

type LoadedWork<Given> = (given: Given, options: Options) => Promise<Said>

/** The commands of one file. The file is loaded when one of them is run, so that each command starts quickly. */
export function later<Name extends string, Given>(
  load: () => Promise<Readonly<Record<Name, LoadedWork<Given>>>>,
) {
  return (name: Name): LoadedWork<Given> =>
    async (given, options) =>
      (await load())[name](given, options)
}
