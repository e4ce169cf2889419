// The countries whose numbers gates may have: the default ones, or those chosen here.

import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { countryName } from '../words/places.ts'
import { useWords } from '../words/words.tsx'
import { allowedOf, codesOf } from './spaceFields.ts'

export function CountryChoice(props: {
  /** As in the fields of the Space. */
  readonly allowed: string | null
  readonly usual: readonly string[]
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly change: (allowed: string | null) => void
}) {
  const { allowed, change, choices, usual } = props
  const { locale, space: says } = useWords()
  const [isShown, setShown] = useState(false)
  const codes = codesOf(allowed ?? '')
  const nameOf = (code: string) => countryName(code, locale)
  const listed = new Intl.ListFormat(locale, { type: 'unit' }).format(
    usual.map(nameOf).sort((one, other) => one.localeCompare(other, locale)),
  )
  return (
    <>
      <Checkbox
        label={says.usual(usual.length)}
        checked={allowed === null}
        onChange={event => change(event.currentTarget.checked ? null : allowedOf(usual))}
      />
      {allowed === null &&
        (isShown ? (
          <p className="small quiet">{says.usualWhy(listed)}</p>
        ) : (
          <button type="button" className="link small target space-usual" onClick={() => setShown(true)}>
            {says.showUsual}
          </button>
        ))}
      {allowed !== null && (
        <>
          <p className="small quiet">
            {says.chosenWhy} {codes.length === 0 && says.noneChosen}
          </p>
          <ul className="space-countries">
            {codes.map(code => (
              <li key={code}>
                {nameOf(code)}
                <IconButton
                  label={says.removeCountry(nameOf(code))}
                  onClick={() => change(allowedOf(codes.filter(other => other !== code)))}
                >
                  <icons.cross size={16} />
                </IconButton>
              </li>
            ))}
          </ul>
          <NativeSelect
            label={says.addCountry}
            value=""
            onChange={event => change(allowedOf([...codes, event.currentTarget.value]))}
            data={[
              { value: '', label: says.choose },
              ...choices.filter(({ value }) => !codes.includes(value)),
            ]}
          />
        </>
      )}
    </>
  )
}
