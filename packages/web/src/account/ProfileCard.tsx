// The name and the language of the user.

import { languages } from '@callgate/contract/language'
import { NativeSelect } from '@mantine/core'
import { Banner } from '../kit/Banner.tsx'
import { Card } from '../kit/Card.tsx'
import { Field } from '../kit/Field.tsx'
import { nameFault } from '../settings/spaceFields.ts'
import { languageChoices } from '../words/places.ts'
import { useWords } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'
import type { useProfileForm } from './useProfileForm.ts'

export function ProfileCard({ form }: { readonly form: ReturnType<typeof useProfileForm> }) {
  const words = useWords()
  const says = words.account.profile
  const { failure, isSent, type, values } = form
  return (
    <Card title={says.title}>
      <div className="account-pair">
        <Field
          label={says.name}
          value={values.name}
          change={name => type({ name })}
          check={name => nameFault(name, words.space)}
          isSent={isSent}
          hint={says.nameHint}
          input={{ autoComplete: 'name' }}
        />
        <NativeSelect
          label={says.language}
          description={says.languageHint}
          value={values.language}
          onChange={event => type({ language: event.currentTarget.value as typeof values.language })}
          data={[...languageChoices(languages, words.locale)]}
        />
      </div>
      <div role="alert">
        {failure && (
          <Banner tone="shut" title={says.notSaved}>
            {sayFailure(failure, words)}
          </Banner>
        )}
      </div>
    </Card>
  )
}
