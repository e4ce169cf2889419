// How the commands of one file are added: each file is loaded when one of its commands is given.

import type { Command } from 'commander'
import type { Data } from './perform.ts'
import type { Options, Said, Work } from './works.ts'

/** Adds a command with its work below `parent`. */
export type AddCommand = (parent: Command, name: string, summary: string, work: Work, data?: Data) => Command

type Does<Given> = (given: Given, options: Options) => Promise<Said>

/** The works of one file. The file is loaded when one of its commands is given, so that each command starts quickly. */
export function later<Name extends string, Given>(load: () => Promise<Readonly<Record<Name, Does<Given>>>>) {
  return (name: Name): Does<Given> =>
    async (given, options) =>
      (await load())[name](given, options)
}
