// A modem's quirks follow from its model name (AT+CGMM), as published manuals and traces spell it.

import { expect, it } from 'vitest'
import { quirksOf } from './quirks.ts'

it.each([
  ['SIM800L', 'SIM800'],
  ['SIM800C', 'SIM800'],
  ['SIM900R', 'SIM800'],
  ['SIM868', 'SIM800'],
  ['SIM800F', 'SIM800'],
  ['SIM808', 'SIM800'],
  ['SIM7600E-H', 'SIM7600'],
  ['SIM7600G-H', 'SIM7600'],
  ['SIM7500A', 'SIM7600'],
  ['A7670SA-FASE', 'A767x'],
  ['A7670E', 'A767x'],
  ['A7672E-FASE', 'A767x'],
  ['A7680C', 'A767x'],
  ['EC25', 'EC25'],
  ['EG25', 'EC25'],
  ['EG25-G', 'EC25'],
  ['EC21', 'EC25'],
  ['EC200U', 'EC25'],
  ['EG91', 'EC25'],
  ['EG95', 'EC25'],
  ['EP06', 'EC25'],
  // Modules with another chip, data-only modules, a phone, and a modem without a name.
  ['SIM7670G-MNGV', 'unknown'],
  ['BG96', 'unknown'],
  ['SIM7080G', 'unknown'],
  ['SIM7000E', 'unknown'],
  ['Nokia 6310', 'unknown'],
  [null, 'unknown'],
])('%s has those of %s', (model, family) => {
  const quirks = quirksOf(model)
  expect(quirks.family).toBe(family)
  expect(quirks.hangUps.length).toBeGreaterThan(1)
})
