// Gateway and modem dial every number that the cloud accepts, so a bad number is refused when the gate is created.

import { usualCountries } from '@callgate/cloud/gate/countries'
import { readPhoneNumber } from '@callgate/cloud/gate/phoneNumber'
import { isDialable } from '@callgate/gateway/core/phoneNumber'
import { isFullNumber } from '@callgate/modem/core/phoneNumber'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const codes = ['', '+1', '001', '1', '+11', '+999', '+40', '+358', '+351', '+44', '+49', '+39', '+354']

it('gateway and modem dial every number that the cloud accepts', () => {
  const typed = fc
    .tuple(
      fc.constantFrom(...codes),
      fc.stringMatching(/^(0|1|11|112|911|999)?[0-9]{5,12}$/),
      fc.constantFrom('US', 'CA', 'RO', 'PT', 'FI'),
    )
    .map(([code, rest, country]) => ({ raw: `${code}${rest}`, country }))
  let accepted = 0
  fc.assert(
    fc.property(typed, ({ country, raw }) => {
      const read = readPhoneNumber(raw, { country, allowedCountries: usualCountries })
      if (!read.ok) return
      accepted++
      expect([read.phoneNumber, isDialable(read.phoneNumber), isFullNumber(read.phoneNumber)]).toEqual([
        read.phoneNumber,
        true,
        true,
      ])
    }),
    { numRuns: 3_000 },
  )
  expect(accepted).toBeGreaterThan(200)
})
