// The Space for its owners, who can change it, and for its admins, who can see it.

import type { SpaceView } from '@callgate/contract/app/space'
import { useMemo } from 'react'
import { useCall } from '../client/connection.tsx'
import { type Reading, useChange, useRead } from '../client/reading.tsx'
import { useSessions, useSpace } from '../client/session.tsx'
import { FormField } from '../form/FormField.tsx'
import { baseOf } from '../form/formState.ts'
import { type Form, useForm } from '../form/useForm.ts'
import { Banner } from '../kit/Banner.tsx'
import { Card } from '../kit/Card.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { UpdateHoursCard } from '../updates/UpdateHoursCard.tsx'
import { countries } from '../words/places.ts'
import { useWords } from '../words/words.tsx'
import { CountryChoice } from './CountryChoice.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { type SpaceValues, spaceBody, spaceFields, valuesOfSpace } from './spaceFields.ts'

type SpaceForm = Form<SpaceValues>

function About({ form, space }: { readonly form: SpaceForm; readonly space: SpaceView }) {
  const { space: says } = useWords()
  return (
    <>
      <Card title={says.about}>
        <FormField form={form} name="name" />
        <div className="space-pair">
          <FormField form={form} name="country" />
          <FormField form={form} name="timezone" />
          <FormField form={form} name="language" />
        </div>
      </Card>
      <Card title={says.contact}>
        <p className="small quiet">{says.contactWhy}</p>
        <div className="space-pair">
          <FormField form={form} name="contactName" />
          <FormField form={form} name="contactPhone" />
        </div>
      </Card>
      <Card title={says.keep}>
        <FormField form={form} name="keepIdentities" />
      </Card>
      <Card title={says.numbers}>
        <CountryChoice
          allowed={form.values.allowed}
          usual={space.usualCountries}
          choices={form.fields.country.choices ?? []}
          change={allowed => form.type({ allowed })}
        />
      </Card>
    </>
  )
}

function useSpaceForm(space: SpaceView, { etag, readAgain }: Reading<'getSpace'>): SpaceForm {
  const words = useWords()
  const change = useChange('updateSpace')
  const call = useCall()
  const { ask } = useSessions()
  const places = useMemo(() => countries(words.locale), [words.locale])
  return useForm({
    fields: spaceFields(words, places, space),
    start: { values: valuesOfSpace(space), etag },
    follows: true,
    send: ({ ifMatch, typed }) => change({ body: spaceBody(typed), ifMatch }),
    goesOn: ({ body, etag: now }) => ({ values: valuesOfSpace(body.space), etag: now ?? undefined }),
    // The frame shows the name from the session, and pages use its zone.
    done: () => void ask(),
    edited: {
      id: space.id,
      readNow() {
        readAgain()
        return baseOf(call('getSpace', {}), now => valuesOfSpace(now.space))
      },
    },
  })
}

function EditSpace({ reading, space }: { readonly space: SpaceView; readonly reading: Reading<'getSpace'> }) {
  const words = useWords()
  const says = words.space
  const isOwner = useSpace().space.role === 'owner'
  const form = useSpaceForm(space, reading)
  const { changedBy, failure, isTyped, refused } = form
  return (
    <div className="space-form">
      {!isOwner && <Banner tone="look">{says.onlyOwners}</Banner>}
      <Trouble form={{ failure, refused }} title={says.notSaved} own={{ network_error: says.noAnswer }}>
        {changedBy && isTyped && <Banner tone="look">{says.changedMeanwhile(changedBy)}</Banner>}
      </Trouble>
      <fieldset className="group" disabled={!isOwner}>
        <About form={form} space={space} />
      </fieldset>
      {isTyped && (
        <SaveBar says={words.frame.unsaved} isBusy={form.isBusy} save={form.send} discard={form.discard} />
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
      {reading.value && <EditSpace space={reading.value.space} reading={reading} />}
      {reading.value && <UpdateHoursCard />}
    </SettingsFrame>
  )
}
