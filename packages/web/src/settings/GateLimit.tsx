// The gates that a new key is limited to: all, or those that are ticked.

import { Checkbox } from '@mantine/core'
import { useRead } from '../client/reading.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { keyTexts } from './keyTexts.ts'

function GateBoxes(props: {
  readonly chosen: readonly string[]
  readonly choose: (gateIds: readonly string[]) => void
}) {
  const { choose, chosen } = props
  const words = useWords()
  const read = useRead('listGates', {})
  return (
    <>
      <NotRead what={keyTexts(words).form.gates} of={read} />
      <div className="scope-list">
        {read.value?.gates.map(({ id, name }) => (
          <Checkbox
            key={id}
            className="scope"
            label={name}
            checked={chosen.includes(id)}
            onChange={event =>
              choose(event.currentTarget.checked ? [...chosen, id] : chosen.filter(other => other !== id))
            }
          />
        ))}
      </div>
    </>
  )
}

export function GateLimit(props: {
  /** Null: all gates. */
  readonly chosen: readonly string[] | null
  readonly choose: (gateIds: readonly string[] | null) => void
  /** Shown where no gate is ticked. */
  readonly error: string | undefined
}) {
  const { choose, chosen, error } = props
  const says = keyTexts(useWords()).form
  return (
    <fieldset className="group scopes">
      <legend>{says.gates}</legend>
      <Checkbox
        label={says.someGates}
        {...(chosen && { description: says.someGatesNote })}
        checked={chosen !== null}
        onChange={event => choose(event.currentTarget.checked ? [] : null)}
      />
      {chosen && <GateBoxes chosen={chosen} choose={choose} />}
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
