// Messages that wait to be read: which reads are repeated, and how often.

import { expect, it } from 'vitest'
import type { Answer } from './core/dialogue.ts'
import { Mail } from './mail.ts'

/** "Gate" in UCS2, from +40721000456. */
const pdu = '00040B910427010054F600086210518000000008' + '0047006100740065'
const told: Answer = { result: 'ok', lines: ['+CMGR: 0,"",27', pdu] }
const error = (code: number | null): Answer => ({ result: 'error', error: { code, text: '' } })

/** The messages read from place 3, and the times of the reads, when the reads are answered in turn by `answers`. */
async function readThrough(answers: readonly (Answer | undefined)[]) {
  const mail = new Mail()
  let nowMs = 0
  const askedMs: number[] = []
  mail.take({ urc: 'message', place: 3 }, nowMs)
  for (;;) {
    const waitMs = mail.waitMs(nowMs)
    if (waitMs === Number.POSITIVE_INFINITY) return { askedMs, read: undefined }
    nowMs += waitMs
    const read = await mail.read(
      () => nowMs,
      async ({ text }) => {
        expect(text).toBe('AT+CMGR=3')
        askedMs.push(nowMs)
        return answers[askedMs.length - 1]
      },
    )
    if (read) return { askedMs, read }
  }
}
const read = { message: { from: '+40721000456', text: 'Gate', part: null }, place: 3 }

it.each<readonly [string, Answer | undefined]>([
  ['the SIM card is busy', error(314)],
  ['an error says nothing', error(null)],
  ['its answer is lost', { result: 'silent' }],
  ['the line goes', { result: 'dropped', why: 'closed' }],
  ['there is no line', undefined],
])('reads a message once more where %s, after a pause', async (_, answer) => {
  expect(await readThrough([told])).toEqual({ askedMs: [0], read })
  expect(await readThrough([answer, told])).toEqual({ askedMs: [0, 2_000], read })
  // The repetition ends.
  const never = await readThrough(Array.from({ length: 40 }, () => answer))
  expect(never).toEqual({ askedMs: [0, 2_000, 4_000, 6_000, 8_000], read: undefined })
})

it.each<readonly [string, Answer]>([
  ['is empty', { result: 'ok', lines: [] }],
  ['is none (321)', error(321)],
  ['holds no message that was received', { result: 'ok', lines: ['+CMGR: 2,"",9', '0011000A'] }],
])('asks once for a place that %s', async (_, answer) => {
  expect(await readThrough([answer, told])).toEqual({ askedMs: [0], read: undefined })
})

it('reads other messages meanwhile, forgets what came before, and keeps 32', async () => {
  const mail = new Mail()
  mail.take({ urc: 'message', place: 3 }, 10)
  await mail.read(
    () => 10,
    async () => error(314),
  )
  mail.take({ urc: 'delivered', pdu }, 20)
  mail.take({ urc: 'ring' }, 20)
  expect(mail.waitMs(20)).toBe(0)
  expect(await mail.read(() => 20, fail)).toEqual({ ...read, place: null })
  expect(mail.waitMs(20)).toBe(1_990)
  mail.dropUntil(9)
  expect(mail.waitMs(20)).toBe(1_990)
  mail.dropUntil(10)
  expect(mail.waitMs(20)).toBe(Number.POSITIVE_INFINITY)
  mail.dropUntil(29)
  mail.take({ urc: 'message', place: 41 }, 29)
  expect(mail.waitMs(29)).toBe(Number.POSITIVE_INFINITY)
  for (let place = 1; place <= 40; place++) mail.take({ urc: 'message', place }, 30)
  const places: string[] = []
  while (mail.waitMs(30) === 0)
    await mail.read(
      () => 30,
      async ({ text }) => {
        places.push(text)
        return { result: 'ok', lines: [] }
      },
    )
  expect([places.length, places[0]]).toEqual([32, 'AT+CMGR=9'])
})

async function fail(): Promise<never> {
  throw new Error('nothing has to be asked')
}
