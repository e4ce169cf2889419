// The scopes of a new key; opening is apart, because it moves real gates.

import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { Checkbox } from '@mantine/core'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { keyTexts } from './keyTexts.ts'
import { opens } from './keyWords.ts'

const quiet = scopeNames.filter(scope => scope !== opens)

export function ScopeFields(props: {
  readonly chosen: readonly Scope[]
  /** Whether the key may have it. */
  readonly isOffered: (scope: Scope) => boolean
  readonly choose: (scopes: readonly Scope[]) => void
  /** Shown where nothing is ticked. */
  readonly error: string | undefined
}) {
  const { choose, chosen, error, isOffered } = props
  const { form, scopeNotes, scopes } = keyTexts(useWords())
  const box = (scope: Scope) => (
    <Checkbox
      key={scope}
      className="scope"
      label={
        <span className="scope-label">
          <b>{scopes[scope]}</b> <span className="mono">{scope}</span>
        </span>
      }
      description={scopeNotes[scope]}
      checked={chosen.includes(scope)}
      disabled={!isOffered(scope)}
      onChange={event =>
        choose(event.currentTarget.checked ? [...chosen, scope] : chosen.filter(other => other !== scope))
      }
    />
  )
  return (
    <fieldset className="group scopes">
      <legend>{form.may}</legend>
      <div className="scope-list">{quiet.map(box)}</div>
      <div className="scope-opens">{box(opens)}</div>
      <div role="alert">
        {error !== undefined && (
          <span className="field-error scope-error">
            <icons.error size={16} />
            {error}
          </span>
        )}
      </div>
    </fieldset>
  )
}
