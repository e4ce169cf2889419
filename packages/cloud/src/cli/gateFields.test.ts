import { GateUpdate } from '@callgate/contract/rest/gate'
import { expect, it } from 'vitest'
import { gateFields } from './gateFields.ts'

it('has an option for each field of a change; activating has commands of its own', () => {
  // What programs set has an option for gates and members alike, or is given by a file.
  const others = ['isActive', 'externalId', 'metadata']
  const fields = Object.keys(GateUpdate.properties).filter(field => !others.includes(field))
  const remedy =
    'Write the limits of a text into limits.gate of contract/src/limits.ts; then it has an option.'
  expect(gateFields.map(({ field }) => field).sort(), remedy).toEqual(fields.sort())
})

it('names an option by its field, except for the number', () => {
  const optionOf = (name: string) => gateFields.find(({ field }) => field === name)
  expect(optionOf('location')).toMatchObject({ name: 'location', flags: '--location <text>' })
  expect(optionOf('phoneNumber')).toMatchObject({ name: 'phone', flags: '--phone <number>' })
})
