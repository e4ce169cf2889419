// The serial port's failures as values; its bytes are tested end to end on a real pty.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { serialLine } from './serial.ts'

const world = fakeWorld()

it('reports that a port is missing, and what to do', async () => {
  const opened = await serialLine({ world, paths: ['/dev/serial/by-id/no-such-modem'], baudRate: 115_200 })(0)
  expect(opened).toMatchObject({ ok: false, code: 'port_missing' })
  expect(!opened.ok && opened.message).toContain('plugged in')
})

it('names every port where all of several are missing', async () => {
  const paths = ['/dev/no-usb-modem', '/dev/no-pins']
  const opened = await serialLine({ world, paths, baudRate: 115_200 })(0)
  expect(opened).toMatchObject({ ok: false, code: 'port_missing' })
  expect(!opened.ok && opened.message).toBe(
    'The serial ports /dev/no-usb-modem, /dev/no-pins are missing: is the modem plugged in, and the path right?',
  )
})

it('reports that no port fits a pattern', async () => {
  const opened = await serialLine({ world, paths: ['/dev/serial/by-id/no-such-*'], baudRate: 115_200 })(0)
  expect(opened).toMatchObject({ ok: false, code: 'port_missing' })
  expect(!opened.ok && opened.message).toContain('no-such-*')
})

it('returns a failure for a path that is no serial port', async () => {
  const missing = '/dev/serial/by-id/no-such-modem'
  const opened = await serialLine({ world, paths: [missing, import.meta.filename], baudRate: 115_200 })(0)
  expect(opened).toMatchObject({ ok: false, code: 'port_failed' })
})
