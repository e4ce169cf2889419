import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import { numberPlans } from '@callgate/contract/number/refusedRanges'
import fc from 'fast-check'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import maxMetadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { usualCountries } from './countries.ts'
import { after, type StateSet, startOf } from './numberPattern.kit.ts'
import { readPhoneNumber } from './phoneNumber.ts'

/** The index of each type in the metadata. */
const types = { fixed: 0, mobile: 1, premium: 3, personal: 4, voip: 8, shared: 9 } as const
type Type = keyof typeof types

interface Metadata {
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>
  /** The calling code first; the patterns of all types are the twelfth. */
  readonly countries: Readonly<Record<string, readonly unknown[]>>
}
const metadata = maxMetadata as unknown as Metadata

const callingCode = (country: string) => String(metadata.countries[country]?.[0])

function patternOf(country: string, type: Type): string | undefined {
  const patterns = metadata.countries[country]?.[11] as readonly (readonly [string] | 0)[] | undefined
  const found = patterns?.[types[type]]
  return found ? found[0] : undefined
}

const digits = [...'0123456789']
const readOne = (raw: string) => readPhoneNumber(raw, { country: 'RO', allowedCountries: usualCountries })

/** The shortest beginnings of these patterns' numbers that the table does not cover. */
function uncovered(code: string, prefix: string, standings: readonly StateSet[]): readonly string[] {
  const alive = standings.filter(standing => standing.size > 0)
  if (alive.length === 0 || numberRefusal(`+${code}${prefix}`)) return []
  if (prefix.length === 7) return [`+${code} ${prefix}`]
  return digits.flatMap(digit =>
    uncovered(
      code,
      `${prefix}${digit}`,
      alive.map(standing => after(standing, digit)),
    ),
  )
}

/** Calling codes outside the usual countries whose numbers the library also lists as ordinary ones. */
const ambiguous = new Set(['55', '64', '81', '86'])

/** Numbers that the library accepts as ordinary but no operator has: the numbering plan is narrower than its pattern. */
const looser = /^\+(?:(?:33|36|385|353)11[28]|44118[01]|3531[58]\d{7}$|1\d{3}(?:976|5551212))/

describe('the table of refused ranges', () => {
  it('covers every premium, shared-cost and personal number that the library knows, of every country', () => {
    const left = Object.entries(metadata.country_calling_codes).flatMap(([code, countries]) => {
      const sources = countries.flatMap(country =>
        (['premium', 'shared', 'personal'] as const).flatMap(type => patternOf(country, type) ?? []),
      )
      return ambiguous.has(code) ? [] : uncovered(code, '', sources.map(startOf))
    })
    expect(left).toEqual([])
  })

  it('refuses each prefix with every suffix of 0 to 4 digits', () => {
    const suffixes = [0, 1, 2, 3, 4].flatMap(length =>
      Array.from({ length: 10 ** length }, (_, n) => (length === 0 ? '' : String(n).padStart(length, '0'))),
    )
    const passing = new Set<string>()
    for (const country of usualCountries) {
      const { ordinary = '', trunk, ...kinds } = numberPlans[callingCode(country)] ?? {}
      const prefixes = Object.values(kinds).flatMap(list => list.split(' '))
      expect(prefixes.length, country).toBeGreaterThan(1)
      const whole = new RegExp(`^\\+${callingCode(country)}(?:${ordinary.replaceAll(' ', '|')})$`)
      for (const prefix of prefixes.map(pattern => pattern.replaceAll('.', '2')))
        for (const suffix of suffixes) {
          const number = `+${callingCode(country)}${prefix}${suffix}`
          if (!numberRefusal(number) && !whole.test(number)) passing.add(number)
        }
    }
    expect([...passing]).toEqual([])
  })

  it.each(usualCountries)('allows ordinary numbers of %s', country => {
    const code = callingCode(country)
    const mobile = (examples as Readonly<Record<string, string>>)[country] ?? ''
    expect(readOne(`+${code}${mobile}`)).toEqual({ ok: true, phoneNumber: `+${code}${mobile}` })
    for (const type of ['fixed', 'mobile', 'voip'] as const) {
      const source = patternOf(country, type)
      if (!source) continue
      const numbers = fc.stringMatching(new RegExp(`^(?:${source})$`)).map(national => `+${code}${national}`)
      fc.assert(
        fc.property(numbers, number => {
          fc.pre(!looser.test(number) && number.length <= 16)
          expect(numberRefusal(number)).toBeUndefined()
        }),
        { numRuns: 300 },
      )
    }
  })
})

it.each([
  ['Reading', '+441189123456'],
  ['Donauwörth', '+49906123456'],
  ['Ghent', '+3292123456'],
  ['Hasselt', '+3211812345'],
  ['Middelburg', '+31118123456'],
  ['Norrköping', '+4611812345'],
  ['Salerno', '+39089901234'],
  ['Dublin', '+35315123456'],
  ['a US area 976', '+19762345678'],
  ['an exchange 976 of Jamaica', '+18769761234'],
  ['the Isle of Man', '+447624123456'],
  ['a business line 0201 of Finland', '+358201234567'],
  ['a business line 02021 of Finland', '+3582021123'],
  ['a business line 02024 of Finland', '+3582024123'],
  ['a business line 0208 of Finland', '+358208123456'],
  ['a business line 0301 of Finland', '+358301234567'],
  ['Turku', '+35822123456'],
  ['Tampere', '+35831234567'],
  ['Vaasa', '+35861234567'],
  ['a voice network 705 of Portugal', '+351705961234'],
  ['Lisbon', '+351217081234'],
])('%s is not refused: %s', (_, number) => expect(numberRefusal(number)).toBeUndefined())

it.each([
  '+4990012345678',
  '+490900123456',
  '+39899123',
  '+3989912345678',
  '+41900123456',
  '+419001234567',
  '+3190612345',
  '+319061234567890',
  '+358600123',
  '+35860012345678',
  '+447012345678',
  '+4470123456789',
  '+44118118',
  '+4411811812',
  '+4411891234567',
  '+12129761234',
  '+121297612345',
  '+12125551212',
  '+19001234567',
  '+36069012345',
  '+35820012345',
  '+358200123456789',
  '+3580200123456',
  '+35820201',
  '+35820221234',
  '+35820231234',
  '+35820981234',
  '+35820991234',
  '+35830012345',
  '+358606123456',
  '+358707123456',
  '+351707123456',
  '+35170712345',
  '+3517071234567',
  '+351708123456',
  '+11123456789',
  '+10123456789',
])('%s is refused by the cloud', raw => {
  const read = readOne(raw)
  expect(read.ok ? read.phoneNumber : read.problem.message).toMatch(/which is never called$/)
})
