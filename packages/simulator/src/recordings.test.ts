// What the simulator says, held against lines that real modems have said.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal } from './terminal.kit.ts'
import { phoneNumber } from './usual.kit.ts'

const file = join(import.meta.dirname, '../../modem/fixtures/answers.txt')
const recorded = readFileSync(file, 'utf8')
  .split('\n')
  .flatMap(line => {
    const [, command, said] = /^(AT\S*) (.+)$/.exec(line) ?? []
    return command === undefined || said === undefined ? [] : [[command, said] as const]
  })

/** The line without its values: digits and what stands in quotes. */
const shapeOf = (line = '') => line.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0')

describe('the answer of the simulator', () => {
  it.each(recorded)('to %s has the form of the recorded one: %s', async (command, said) => {
    const terminal = await openTerminal({ gates: [{ farEnd: 'ring_forever', phoneNumber }] }, [
      'ATE0',
      'AT+CUSD=1',
    ])
    if (command === 'AT+CLCC') await terminal.say(`ATD${phoneNumber};`, 100)
    const lines = await terminal.say(command, 500)
    expect(lines.map(shapeOf)).toContain(shapeOf(said))
  })
})
