// A machine without a modem, for tests.

import type { OpenPlace } from './device.ts'

export const noPort: OpenPlace = () => async () => ({
  ok: false,
  code: 'port_missing',
  message: 'The serial port is missing',
})
