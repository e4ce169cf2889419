// Goes through the questions of `callgate setup`: each answer is tried at once, and a wrong one is asked for again.

import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import type { OperatorFiles } from '../backup/operatorFiles.ts'
import { type Config, type ReadConfig, readConfig } from '../config.ts'
import type { Check } from '../doctor/check.ts'
import { productionFaults } from '../health/production.ts'
import { AnswersEnded, type Asking, type Change, type Draft, type Question } from './question.ts'
import { valueFault } from './settingsFile.ts'

export interface Interview {
  readonly world: World
  readonly files: OperatorFiles
  /** The environment of the program without the settings: CALLGATE_DATA, NODE_ENV. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder for the files beside the settings. */
  readonly folder: string
  /** The options of the command line. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** Whether the machine is set up already, and options say what to change: everything else stays as it is. */
  readonly keepsRest: boolean
  /** Puts the files of a draft where the cloud's user can try them, and returns that folder. */
  stage(files: Draft['files']): Promise<string>
  ask(question: string, isSecret?: boolean): Promise<string | undefined>
  /** Tells a person what came of an answer. */
  tell(check: Check): void
  complain(text: string): void
}

/** The variables of an answer that are given already, by a file of settings: they are only tried. */
const isGiven = (question: Question, given: Draft['variables']) =>
  question.answeredBy.some(name => given[name] !== undefined)

export function changed(draft: Draft, { files = {}, variables }: Change): Draft {
  const all = Object.entries({ ...draft.variables, ...variables })
  return {
    variables: Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    files: { ...draft.files, ...files },
  }
}

/** The configuration of a draft, whose files are still in the folder `staged`. */
export function configOf(
  { environment, folder }: Pick<Interview, 'environment' | 'folder'>,
  { files, variables }: Draft,
  staged: string,
): ReadConfig {
  const places = new Map(Object.keys(files).map(name => [join(folder, name), join(staged, name)]))
  // A path can also stand in the address of the database, percent-encoded where `callgate share` has written it.
  const moved = (value: string) =>
    [...places].reduce(
      (text, [from, to]) =>
        text.replaceAll(from, to).replaceAll(encodeURIComponent(from), encodeURIComponent(to)),
      value,
    )
  const own = Object.entries(variables).map(([name, value]) => [name, moved(value)])
  return readConfig({ ...environment, ...Object.fromEntries(own) })
}

/** The reasons why production would not start with this answer, in which one of its variables is named. */
async function unsafe(question: Question, config: Config): Promise<readonly string[]> {
  if (!config.isProduction) return []
  const faults = await productionFaults(config)
  return faults.filter(fault => question.variables.some(name => fault.startsWith(`${name} `)))
}

/** Tries a draft and tells what was found. Whether it can be used. */
async function tried(interview: Interview, question: Question, draft: Draft): Promise<boolean> {
  const { complain, stage, tell, world } = interview
  for (const name of question.variables) {
    const fault = valueFault(draft.variables[name] ?? '')
    if (fault !== undefined) {
      complain(`${name} ${fault}.`)
      return false
    }
  }
  const read = configOf(interview, draft, await stage(draft.files))
  if (!read.ok) {
    complain(read.message)
    return false
  }
  const faults = await unsafe(question, read.config)
  for (const fault of faults) complain(`${fault}.`)
  if (faults.length > 0) return false
  const checks = await question.check(world, read.config)
  for (const check of checks) tell(check)
  return checks.every(({ state }) => state !== 'wrong')
}

function askingOf(interview: Interview, draft: Draft, isOption: boolean): Asking {
  const { ask, files, folder, options } = interview
  const answered = async (words: string, option: string | undefined, isSecret: boolean, standard = '') => {
    const answer = await ask(`${words}${standard && ` [${standard}]`}: `, isSecret)
    if (answer === undefined) throw new AnswersEnded(words, option)
    return isSecret ? answer : answer.trim()
  }
  return {
    draft,
    files,
    folder,
    isOption,
    hasOption: option => options[option] !== undefined,
    async follow(option, words, standard) {
      const given = options[option]
      if (given !== undefined) return given
      if (isOption) return standard
      return (await answered(words, option, false, standard)) || standard
    },
    secret: words => answered(words, undefined, true),
  }
}

/** One answer to a question, as a draft that was tried; undefined where it was wrong. */
async function answerOnce(
  interview: Interview,
  question: Question,
  draft: Draft,
  option: string | undefined,
): Promise<Draft | undefined> {
  const { ask, complain } = interview
  const present = question.present(draft.variables)
  const standard = present ?? question.standard
  const words = standard === '' ? question.words : `${question.words} [${standard}]`
  const text = option ?? (await ask(`${words}: `))
  if (text === undefined) throw new AnswersEnded(question.words, question.option)
  const answer = text.trim() || standard
  // What is there already stays, with its password; an option says it anew.
  const isKept = option === undefined && present !== undefined && answer === present
  const read = isKept
    ? { variables: {} }
    : await question.read(answer, askingOf(interview, draft, option !== undefined))
  if (typeof read === 'string') {
    complain(read)
    return undefined
  }
  const next = changed(draft, read)
  return (await tried(interview, question, next)) ? next : undefined
}

/**
 * Asks every question. `given` are variables of a file: they answer their questions. Undefined where an option or such a file
 * answers wrongly; nothing was changed then. Throws `AnswersEnded` where the input ends too early.
 */
export async function interviewed(
  interview: Interview,
  questions: readonly Question[],
  draft: Draft,
  given: Draft['variables'],
): Promise<Draft | undefined> {
  let current = draft
  for (const question of questions) {
    const option = interview.options[question.option]
    if (option === undefined && isGiven(question, given)) {
      current = changed(current, {
        variables: Object.fromEntries(question.variables.map(name => [name, given[name]])),
      })
      if (!(await tried(interview, question, current))) return undefined
      continue
    }
    if (option === undefined && interview.keepsRest) continue
    let next = await answerOnce(interview, question, current, option)
    while (next === undefined && option === undefined)
      next = await answerOnce(interview, question, current, option)
    if (next === undefined) return undefined
    current = next
  }
  return current
}
