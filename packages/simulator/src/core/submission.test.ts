import { expect, it } from 'vitest'
import { openTerminal } from '../terminal.kit.ts'
import { submissionOf } from './submission.ts'

const to = '+40722000001'
/** First octet, reference, address; then no protocol and the coding. */
const head = (first: string, coding: string) => `00${first}000B910427020000F100${coding}`

it.each([
  ['seven bits', `${head('01', '00')}05E8329BFD06`, { to, text: 'hello' }],
  ['a letter of the extension table', `${head('01', '00')}029B32`, { to, text: '€' }],
  ['UCS2', `${head('01', '08')}0400E90103`, { to, text: 'éă' }],
  ['a message class', `${head('01', 'F1')}05E8329BFD06`, { to, text: 'hello' }],
  [
    'a part in UCS2',
    `${head('41', '08')}080500030702010061`,
    { to, text: 'a', part: { reference: 7, count: 2, place: 1 } },
  ],
  [
    'a part with a reference of 16 bits',
    `${head('41', '08')}09060804010203020062`,
    { to, text: 'b', part: { reference: 0x0102, count: 3, place: 2 } },
  ],
  [
    'a part that there cannot be as a message of its own',
    `${head('41', '08')}080500030702000061`,
    { to, text: 'a' },
  ],
  [
    'a part in seven bits, behind the bit that fills its header',
    `${head('41', '00')}09050003070202D069`,
    { to, text: 'hi', part: { reference: 7, count: 2, place: 2 } },
  ],
])('reads %s', (_, pdu, submission) => {
  expect(submissionOf(pdu)).toEqual(submission)
})

it.each([
  ['nothing', ''],
  ['an SMS-DELIVER', `${head('00', '00')}05E8329BFD06`],
  ['data', `${head('01', '04')}05E8329BFD06`],
  ['a length that is not right', `${head('01', '00')}06E8329B`],
  ['a header that is longer than the message', `${head('41', '08')}02FF00`],
  ['half a letter of UCS2', `${head('01', '08')}03004100`],
])('reads no message in %s', (_, pdu) => {
  expect(submissionOf(pdu)).toBeUndefined()
})

it('takes a message in parts, and has the whole one after the last part', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CMGF=0'])
  const part = (place: string, letter: string) => `${head('41', '08')}080500030702${place}${letter}`
  for (const [turn, pdu] of [part('02', '0062'), part('01', '0061')].entries()) {
    expect(terminal.simulator.state().sent).toEqual([])
    expect(await terminal.say(`AT+CMGS=${pdu.length / 2 - 1}`)).toEqual(['> '])
    terminal.type(`${pdu}\x1a`)
    await terminal.world.advance(10_000)
    expect(terminal.heard()).toContain(`+CMGS: ${turn + 1}`)
  }
  expect(terminal.simulator.state().sent).toEqual([{ to, text: 'ab' }])
})
