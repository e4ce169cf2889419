import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { agedFromMs, shippedRules, zoneRules } from './zoneRules.ts'

describe('the release of the rules', () => {
  it('has a known date, and is the release in the package', () => {
    const require = createRequire(import.meta.url)
    const changelog = readFileSync(require.resolve('moment-timezone/changelog.md'), 'utf8')
    const [, releasedOn, version] =
      /_(\d{4}-\d\d-\d\d)_\s+\* Updated data to IANA TZDB `(\w+)`/.exec(changelog) ?? []
    expect({ version, releasedOn }).toEqual(shippedRules)
    expect(zoneRules.version).toBe(shippedRules.version)
  })

  it.each([
    ['2026f', '2027-10-30T00:00Z'],
    ['2027b', '2028-12-31T00:00Z'],
    ['2023', undefined],
    ['latest', undefined],
  ])('%s is older than a year from %s on', (version, aged) => {
    expect(agedFromMs(version)).toBe(aged === undefined ? undefined : Date.parse(aged))
  })
})
