// The Space as its owners change it, and as its admins see it.

import type { SpaceView } from '@callgate/contract/app/space'
import { keepings } from '@callgate/contract/keeping'
import { languages } from '@callgate/contract/language'
import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import { type Reading, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Card } from '../kit/Card.tsx'
import { Field } from '../kit/Field.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { UpdateHoursCard } from '../updates/UpdateHoursCard.tsx'
import { countries, languageChoices, zones } from '../words/places.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { CountryChoice } from './CountryChoice.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { contactFaults, nameFault, type SpaceValues, sayKeeping } from './spaceFields.ts'
import { useSpaceForm } from './useSpaceForm.ts'

type Form = ReturnType<typeof useSpaceForm>

/** What stands below a field: what somebody else has set, else the hint. */
function useHints({ draft }: Form) {
  const says = useWords().space
  return (field: Exclude<keyof SpaceValues, 'allowed'>, usual?: string) => {
    const theirs = draft.theirs[field]
    if (theirs === undefined) return usual
    return theirs === '' ? says.theyCleared : says.theySet(theirs)
  }
}

function About({ form, space }: { readonly form: Form; readonly space: SpaceView }) {
  const { locale, space: says } = useWords()
  const { isSent, type, values } = form
  const hint = useHints(form)
  const places = useMemo(() => countries(locale), [locale])
  return (
    <>
      <Card title={says.about}>
        <Field
          label={says.name}
          value={values.name}
          change={name => type({ name })}
          check={name => nameFault(name, says)}
          isSent={isSent}
          hint={hint('name', says.nameHint) ?? ''}
          input={{ autoComplete: 'off' }}
        />
        <div className="space-pair">
          <NativeSelect
            label={says.country}
            description={hint('country', says.countryHint)}
            value={values.country}
            onChange={event => type({ country: event.currentTarget.value })}
            data={[...places]}
          />
          <NativeSelect
            label={says.timezone}
            description={hint('timezone', says.timezoneHint)}
            value={values.timezone}
            onChange={event => type({ timezone: event.currentTarget.value })}
            data={[...zones(values.timezone)]}
          />
          <NativeSelect
            label={says.language}
            description={hint('language', says.languageHint)}
            value={values.language}
            onChange={event => type({ language: event.currentTarget.value as SpaceValues['language'] })}
            data={[...languageChoices(languages, locale)]}
          />
        </div>
      </Card>
      <Contact form={form} />
      <Keeping form={form} />
      <Card title={says.numbers}>
        <CountryChoice
          allowed={values.allowed}
          usual={space.usualCountries}
          choices={places}
          change={allowed => type({ allowed })}
        />
      </Card>
    </>
  )
}

/** How long names are kept. */
function Keeping({ form }: { readonly form: Form }) {
  const says = useWords().space
  const { draft, type, values } = form
  const theirs = draft.theirs.keepIdentities
  return (
    <Card title={says.keep}>
      <NativeSelect
        label={says.keepNames}
        description={theirs === undefined ? says.keepHint : says.theySet(sayKeeping(theirs, says))}
        value={values.keepIdentities}
        onChange={event => type({ keepIdentities: event.currentTarget.value })}
        data={keepings.map(value => ({ value, label: sayKeeping(value, says) }))}
      />
    </Card>
  )
}

function Contact({ form }: { readonly form: Form }) {
  const says = useWords().space
  const { isSent, type, values } = form
  const hint = useHints(form)
  const faults = contactFaults(values, says)
  return (
    <Card title={says.contact}>
      <p className="small quiet">{says.contactWhy}</p>
      <div className="space-pair">
        <Field
          label={says.contactName}
          value={values.contactName}
          change={contactName => type({ contactName })}
          refused={isSent ? faults.name : undefined}
          isSent={isSent}
          hint={hint('contactName') ?? ''}
          input={{ autoComplete: 'off' }}
        />
        <Field
          label={says.contactPhone}
          value={values.contactPhone}
          change={contactPhone => type({ contactPhone })}
          refused={isSent ? faults.phone : undefined}
          isSent={isSent}
          hint={hint('contactPhone') ?? ''}
          input={{ type: 'tel', autoComplete: 'off' }}
        />
      </div>
    </Card>
  )
}

function SpaceForm({ reading, space }: { readonly space: SpaceView; readonly reading: Reading<'getSpace'> }) {
  const words = useWords()
  const says = words.space
  const isOwner = useSpace().space.role === 'owner'
  const form = useSpaceForm(space, reading)
  const { failure, changedBy, isBusy, isTyped } = form
  const isShown = failure !== undefined && failure.code !== 'precondition_failed'
  return (
    <div className="space-form">
      {!isOwner && <Banner tone="look">{says.onlyOwners}</Banner>}
      <div role="alert">
        {isShown && (
          <Banner tone="shut" title={says.notSaved}>
            {sayProblem(failure, words, { network_error: says.noAnswer })}
          </Banner>
        )}
        {changedBy && isTyped && <Banner tone="look">{says.changedMeanwhile(changedBy)}</Banner>}
      </div>
      <fieldset className="group" disabled={!isOwner}>
        <About form={form} space={space} />
      </fieldset>
      {isTyped && (
        <SaveBar
          says={words.frame.unsaved}
          isBusy={isBusy}
          save={() => void form.save()}
          discard={form.discard}
        />
      )}
    </div>
  )
}

export function SpacePage() {
  const says = useWords().space
  const reading = useRead('getSpace', {})
  return (
    <SettingsFrame part="settings" title={says.title} says={says.says}>
      {reading.failure && <NotRead what={says.what} of={reading} />}
      {!reading.value && !reading.failure && <Skeleton bars={[240, 160, 161]} />}
      {reading.value && <SpaceForm space={reading.value.space} reading={reading} />}
      {reading.value && <UpdateHoursCard />}
    </SettingsFrame>
  )
}
