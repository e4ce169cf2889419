// Answers from a pipe and from a terminal.

import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createPrompts } from './prompts.ts'

function prompts(isTTY: boolean) {
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} })
  const stderr = new PassThrough()
  let shown = ''
  stderr.on('data', bytes => {
    shown += bytes
  })
  let interrupts = 0
  const made = createPrompts(stdin, stderr, () => {
    interrupts += 1
  })
  return { ...made, stdin, shown: () => shown, interrupts: () => interrupts }
}

it('reads one line of a pipe for each question, also when they come at once, and ends with it', async () => {
  const { ask, shown, stdin } = prompts(false)
  stdin.end('first\n\nthird')
  expect([await ask('A: '), await ask('B: ', true), await ask('C: '), await ask('D: ')]).toEqual([
    'first',
    '',
    'third',
    undefined,
  ])
  expect(await ask('E: ')).toBeUndefined()
  expect(shown()).toBe('')
})

it('waits for a line that comes later', async () => {
  const { ask, stdin } = prompts(false)
  const asked = ask('A: ')
  stdin.write('late')
  stdin.write('r\n')
  expect(await asked).toBe('later')
})

it('asks a person, and shows no secret', async () => {
  const { ask, askTwice, shown, stdin } = prompts(true)
  const name = ask('Name: ')
  stdin.write('Olga\r')
  expect(await name).toBe('Olga')
  expect(shown()).toContain('Name: ')
  expect(shown()).toContain('Olga')
  const secret = askTwice('Password: ')
  stdin.write('s3cret\r')
  await new Promise(resolve => setImmediate(resolve))
  stdin.write('s3cret\r')
  expect(await secret).toBe('s3cret')
  expect(shown()).toMatch(/Password: .*The same again: /s)
  expect(shown()).not.toContain('s3cret')
})

it('ends at Ctrl-C', async () => {
  const { ask, interrupts, stdin } = prompts(true)
  const asked = ask('Name: ')
  stdin.write('\u0003')
  stdin.write('x\r')
  await asked
  expect(interrupts()).toBe(1)
})
