// Asks a person on the terminal, or reads the lines of a pipe in the place of the answers.

import { createInterface, type Interface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'

/** The standard input: a terminal, a pipe or a file. */
type Input = Readable & {
  readonly isTTY?: boolean
  ref?(): void
  unref?(): void
}

export interface Prompts {
  /** The answer without its line break; undefined at the end of the input. A secret is not shown while it is typed. */
  ask(question: string, isSecret?: boolean): Promise<string | undefined>
  /** A secret, asked for twice on a terminal. Undefined where there is none, or the two differ. */
  askTwice(question: string): Promise<string | undefined>
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** The next line; undefined at the end of the input. */
function nextLine(lines: Interface): Promise<string | undefined> {
  return new Promise(resolve => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
}

/** Reads the lines of a pipe one by one, although they may all come at once. */
function lineReader(stdin: Readable): () => Promise<string | undefined> {
  const come: string[] = []
  let isOver = false
  let wake = () => {}
  createInterface({ input: stdin })
    .on('line', line => {
      come.push(line)
      wake()
    })
    .on('close', () => {
      isOver = true
      wake()
    })
  return async () => {
    while (come.length === 0 && !isOver)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    return come.shift()
  }
}

/** `interrupted` is called at Ctrl-C, which sends no signal while an answer is typed. */
export function createPrompts(stdin: Input, stderr: Writable, interrupted: () => void): Prompts {
  async function ofTerminal(question: string, isSecret: boolean): Promise<string | undefined> {
    stdin.ref?.()
    const lines = createInterface({ input: stdin, output: isSecret ? nowhere() : stderr, terminal: true })
    lines.on('SIGINT', interrupted)
    if (isSecret) stderr.write(question)
    else {
      lines.setPrompt(question)
      lines.prompt()
    }
    const line = await nextLine(lines)
    lines.close()
    if (isSecret || line === undefined) stderr.write('\n')
    // A terminal that is still being read would keep the process alive.
    stdin.pause()
    stdin.unref?.()
    return line
  }

  let readPiped: (() => Promise<string | undefined>) | undefined
  async function ofPipe(): Promise<string | undefined> {
    stdin.ref?.()
    readPiped ??= lineReader(stdin)
    const line = await readPiped()
    stdin.unref?.()
    return line
  }

  const ask = (question: string, isSecret = false) =>
    stdin.isTTY ? ofTerminal(question, isSecret) : ofPipe()
  return {
    ask,
    async askTwice(question) {
      const first = await ask(question, true)
      const second = stdin.isTTY ? await ask('The same again: ', true) : first
      return first === second && first !== '' ? first : undefined
    },
  }
}
