// Walks ways step by step on machines of one Debian, and counts the seconds, commands and presses of each person.

import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Block, blocksOf } from './blocks.ts'
import { type Machine, typingInto } from './machine.ts'
import type { People, Person } from './people.ts'
import { earlierText } from './supplies.ts'
import { say, typeBlock } from './typing.ts'
import type { Act, Stage, TypedStep, Way, Who } from './ways/way.ts'

/** What one person did on a way. */
export interface Share {
  readonly who: Who
  seconds: number
  commands: number
  presses: number
}

/** The text of a step's page, in this checkout or at the earlier commit. */
export const pageOf = (top: string, { isEarlier, page }: Pick<TypedStep, 'isEarlier' | 'page'>) =>
  isEarlier ? earlierText(top, page) : readFileSync(join(top, page), 'utf8')

/** The one block of a page that begins so. Throws where there is none, or more than one. */
export function blockThat(text: string, { begins, page }: Pick<TypedStep, 'begins' | 'page'>): Block {
  const [found, ...more] = blocksOf(text).filter(block => block.text.startsWith(begins))
  if (found !== undefined && more.length === 0) return found
  throw new Error(`${page}: ${more.length === 0 ? 'no block begins' : 'several blocks begin'} with ${begins}`)
}

/** The browsers of a walk: each person has one, which stays open. */
export function browsersOf(people: People): (who: Who) => Promise<Person> {
  const opened = new Map<Who, Promise<Person>>()
  return who => {
    const person = opened.get(who) ?? people.person()
    opened.set(who, person)
    return person
  }
}

interface Counted {
  readonly seconds: number
  readonly commands: number
  readonly presses: number
}

async function act(stage: Stage, step: Act): Promise<Counted> {
  const person = step.who && (await stage.browser(step.who))
  const before = person?.presses() ?? 0
  const startMs = performance.now()
  try {
    await step.act(stage)
  } catch (error) {
    const picture = join(tmpdir(), `callgate-walk-${step.who}.png`)
    await person?.page.screenshot({ path: picture })
    const shown = person ? `, and the page is in ${picture}` : ''
    throw new Error(`${step.who ?? 'the walk'}: "${step.does}" fails${shown}`, { cause: error })
  }
  const seconds = (performance.now() - startMs) / 1_000
  const presses = (person?.presses() ?? 0) - before
  say(`${step.who ?? 'brought'}  ${seconds.toFixed(1).padStart(6)} s  ok  ${step.does} (${presses} presses)`)
  return { seconds, commands: 0, presses }
}

/** Walks a way. Returns what each person did. */
export async function walkWay(stage: Stage, { name, steps }: Way): Promise<readonly Share[]> {
  const shares = new Map<Who, Share>()
  const add = (who: Who | undefined, counted: Counted) => {
    if (who === undefined) return
    const share = shares.get(who) ?? { who, seconds: 0, commands: 0, presses: 0 }
    shares.set(who, share)
    share.seconds += counted.seconds
    share.commands += counted.commands
    share.presses += counted.presses
  }
  const machines = new Map<string, Machine>()
  const machineOf = (on: string) => {
    const root = stage.roots[on]
    if (root === undefined) throw new Error(`there is no machine ${on}`)
    const machine = machines.get(on) ?? typingInto(root, { who: name, home: '~' })
    machines.set(on, machine)
    return machine
  }
  async function type(step: TypedStep): Promise<void> {
    const { answers, finds = {}, meanwhile, on, typed, who } = step
    const block = blockThat(pageOf(stage.top, step), step)
    const begun = meanwhile && act(stage, meanwhile)
    // A failure of the other person is told after that of this one.
    begun?.catch(() => {})
    const done = await typeBlock(machineOf(on), block, {
      ...step,
      input: answers?.(stage) ?? step.input,
      typed: typed && (text => typed(text, stage)),
    })
    add(who, { ...done, presses: 0 })
    const other = await begun
    // What two people do at the same time is counted once.
    if (other) add(meanwhile?.who, { ...other, seconds: Math.max(0, other.seconds - done.seconds) })
    for (const [note, pattern] of Object.entries(finds)) {
      const found = pattern.exec(done.output)?.[1]
      if (found === undefined)
        throw new Error(`${step.page}:${block.line} prints no ${note}:\n${done.output}`)
      stage.notes.set(note, found)
    }
  }
  for (const step of steps) {
    if ('act' in step) add(step.who, await act(stage, step))
    else await type(step)
  }
  return [...shares.values()]
}
