// The name and the language of the user.

import { FormField } from '../form/FormField.tsx'
import type { Form } from '../form/useForm.ts'
import { Card } from '../kit/Card.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'
import type { ProfileValues } from './useProfileForm.ts'

export function ProfileCard({ form }: { readonly form: Form<ProfileValues> }) {
  const words = useWords()
  const says = words.account.profile
  return (
    <Card title={says.title}>
      <div className="account-pair">
        <FormField form={form} name="name" />
        <FormField form={form} name="language" />
      </div>
      <Trouble form={form} title={says.notSaved} sayFailure={failure => sayFailure(failure, words)} />
    </Card>
  )
}
