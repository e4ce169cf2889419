// Types the blocks of a page on a machine, tells each command with its seconds, and stops at the first that fails.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, commandsOf } from './blocks.ts'
import type { Machine } from './machine.ts'
import { asTyped, type Step } from './steps.ts'

export const say = (text: string) => process.stdout.write(`${text}\n`)

export interface Typed {
  readonly seconds: number
  readonly commands: number
  /** What the commands have printed. */
  readonly output: string
}

const yes = 'y\n'.repeat(20)

export interface Text {
  readonly where: string
  readonly text: string
  readonly input?: string | undefined
}

/** Types one text. Throws with its output where it ends with another code than 0. */
export async function typeText(machine: Machine, { input = yes, text, where }: Text): Promise<Typed> {
  const startMs = performance.now()
  const { output, status } = await machine.type(text, input)
  const seconds = (performance.now() - startMs) / 1_000
  const shown = text.trim().split('\n').join('\n      ')
  say(`${where}  ${seconds.toFixed(1).padStart(6)} s  ${status === 0 ? 'ok' : 'FAILED'}  ${shown}`)
  if (status === 0) return { seconds, commands: 1, output }
  throw new Error(`${where} fails (exit code ${status}):\n${text}\n${output.slice(-4_000)}`)
}

/** How a block is typed: its step, and what becomes of its text beside the usual substitutes. */
export interface BlockTyping extends Step {
  /** The path of the page. */
  readonly page: string
  readonly typed?: ((text: string) => string) | undefined
}

/** Types the commands of a block one after the other. What is done before and afterwards is not counted. */
export async function typeBlock(machine: Machine, block: Block, given: BlockTyping): Promise<Typed> {
  const { before, file, holds, input, page, typed = text => text } = given
  const where = (line: number, more = '') => `${page}:${line}${more}`
  const sum = { seconds: 0, commands: 0, output: '' }
  if (before !== undefined) await typeText(machine, { where: where(block.line, ', before'), text: before })
  if (file !== undefined) {
    writeFileSync(join(machine.folder, file), `${typed(asTyped(block.text))}\n`)
    say(`${where(block.line)}  written to ${file}`)
    sum.commands++
  } else
    for (const { line, text } of commandsOf(block)) {
      // apt asks whether it may; answers to questions are for the other commands of the block.
      const answers = text.includes('apt install') ? yes : input
      const ran = await typeText(machine, {
        where: where(line),
        text: typed(asTyped(text)),
        input: answers,
      })
      sum.seconds += ran.seconds
      sum.commands++
      sum.output += ran.output
    }
  if (holds !== undefined) await typeText(machine, { where: where(block.line, ', afterwards'), text: holds })
  return sum
}
