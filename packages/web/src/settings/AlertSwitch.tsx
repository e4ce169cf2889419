// A switch for a person's alerts by mail; it shows the saved state, with a failure beside it.

import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'

/** `change` resolves when `isOn` shows the new state, or with the reason of a failure. */
export function AlertSwitch(props: {
  readonly label: string
  readonly isLabelHidden?: true
  readonly description?: string
  readonly isOn: boolean
  readonly change: (isOn: boolean) => Promise<Failure | undefined>
}) {
  const { change, description, isLabelHidden = false, isOn, label } = props
  const words = useWords()
  const { noAnswer } = words.alerts.choices
  const [wanted, setWanted] = useState<boolean>()
  const [failure, setFailure] = useState<Failure>()
  async function go(next: boolean) {
    setWanted(next)
    setFailure(await change(next))
    setWanted(undefined)
  }
  return (
    <span className="alert-switch">
      <Switch
        {...(isLabelHidden ? { 'aria-label': label } : { label, description })}
        checked={wanted ?? isOn}
        // A second press waits for the answer to the first.
        disabled={wanted !== undefined}
        onChange={event => void go(event.currentTarget.checked)}
      />
      <span role="alert" className="small alert-switch-failed">
        {failure && sayProblem(failure, words, { network_error: noAnswer })}
      </span>
    </span>
  )
}
