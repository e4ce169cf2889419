import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { createCallgate } from './callgate.ts'
import { RunningParts } from './parts.ts'

/** The answers of `/readyz` on the restore, in order. */
const answers = [
  { ok: false, reason: 'Restored: "callgate confirm-restore" is missing.' },
  { ok: false, reason: 'Restored: wait for up to 160 s.' },
  { ok: false, reason: 'Restored: wait for up to 159 s.' },
  { ok: true },
]
const server = createServer((_request, response) => {
  response.end(JSON.stringify({ checks: { database: { ok: true }, restore: answers.shift() } }))
})
afterEach(() => server.close())

it('waits until keys are accepted after a restore, and reports each reason once', async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const over = new AbortController().signal
  const own = { node: process.execPath, top: '', logFolder: '', environment: {}, over }
  const parts = new RunningParts({ ...own, onLost: () => {}, onNotice: () => {} })
  const callgate = createCallgate({ baseUrl, bundle: '', environment: {}, parts, over })
  const said: string[] = []
  expect(await callgate.takesKeys(line => said.push(line))).toEqual({ ok: true, value: undefined })
  expect(said).toEqual([
    'Restored: "callgate confirm-restore" is missing.',
    'Restored: wait for up to 160 s.',
  ])
  expect(answers).toEqual([])
})
