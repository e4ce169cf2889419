// Any bytes through the guard, the splitter and the dialogue: no exception, and no line beyond the limit.

import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openAtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { maxLineLength } from './core/lines.ts'
import { createLineGuard } from './lineGuard.ts'
import { memoryLine } from './memoryLine.kit.ts'

it('passes at most 4 KiB of a line, removes and counts NULs, and passes the next line', async () => {
  const { stream, nulCount } = createLineGuard()
  const passed: Buffer[] = []
  stream.on('data', (bytes: Buffer) => passed.push(bytes))
  for (let chunk = 0; chunk < 100; chunk++) stream.write(Buffer.alloc(1_000, chunk % 2 ? 0 : 0x49))
  stream.write('\nOK\r\n')
  await fakeWorld().advance(0)
  expect(Buffer.concat(passed).toString('latin1')).toBe(`${'I'.repeat(maxLineLength)}\nOK\r\n`)
  expect(nulCount()).toBe(50_000)
})

it('recognises a prompt only at the beginning of a line, before its line ends', async () => {
  let prompts = 0
  const { stream } = createLineGuard(() => prompts++)
  for (const piece of ['OK\r\n\r\n', '>', ' ', '\r\n+CMGS: 1\r\n', '1 > 0\r\n', '\r\n> ']) stream.write(piece)
  await fakeWorld().advance(0)
  expect(prompts).toBe(2)
})

it('finds the answer to a command after any bytes, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async pieces => {
      const world = fakeWorld()
      const far = memoryLine(() => {})
      const opened = await far.openLine(0)
      if (!opened.ok) throw new Error(opened.code)
      const at = openAtLine({ world, line: opened.line, onUrc: () => {}, onClose: () => {} })
      const answer = at.ask(commands.attentionAtBoot)
      for (const piece of pieces) far.say(Buffer.from(piece).toString('latin1'))
      far.say('\n\r\nO')
      far.say('K\r\n')
      await world.advance(0)
      expect(['ok', 'dropped', 'error']).toContain((await answer).result)
    }),
    { numRuns: 60 },
  )
})
