// The serial port's failures as values; its bytes are tested end to end on a real pty.

import { expect, it } from 'vitest'
import { serialLine } from './serial.ts'

it('says that a port is missing, and what to do', async () => {
  const opened = await serialLine({ path: '/dev/serial/by-id/no-such-modem', baudRate: 115_200 })()
  expect(opened).toMatchObject({ ok: false, code: 'port_missing' })
  expect(!opened.ok && opened.message).toContain('plugged in')
})

it('gives what is no serial port back as a value', async () => {
  const opened = await serialLine({ path: import.meta.filename, baudRate: 115_200 })()
  expect(opened).toMatchObject({ ok: false, code: 'port_failed' })
})
