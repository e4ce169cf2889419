// The sheet behind a gateway of a gate: what is known of it here, whether it may call, and whether its number is known.

import { NativeSelect, Switch } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { CopyButton } from '../kit/CopyButton.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { sayNumber } from '../words/number.ts'
import { sayProblem } from '../words/problems.ts'
import { type CallingGateway, sayTurn } from './callerWords.ts'
import { type Reader, sayWhen } from './gateWords.ts'

type Known = CallingGateway['numberKnown']
export type CallerChange = { readonly mayCall: boolean } | { readonly numberKnown: Known }

/** It shows the saved values, and below them a failure. */
export function CallerSheet(props: {
  readonly caller: CallingGateway
  readonly openedAt: string | null
  readonly reader: Reader
  readonly change: (change: CallerChange) => Promise<Failure | undefined>
  readonly close: () => void
}) {
  const { caller, change, close, openedAt, reader } = props
  const { callerNumber, mayCall, name, numberKnown } = caller
  const { frame, gate } = reader.words
  const says = gate.callers
  const [wanted, setWanted] = useState<CallerChange>()
  const [failure, setFailure] = useState<Failure>()
  const shown = { mayCall, numberKnown, ...wanted }
  async function go(next: CallerChange) {
    setWanted(next)
    setFailure(await change(next))
    setWanted(undefined)
  }
  // A second change waits for the answer to the first.
  const disabled = wanted !== undefined
  return (
    <Dialog title={name} does={frame.close} isDone close={close} go={close}>
      <div className="caller-number">
        <span className="opening-says">
          <b>{callerNumber === null ? gate.numberUnknown : sayNumber(callerNumber)}</b>
          <span className="small">{sayTurn(caller, reader.words)}</span>
          <span className="small quiet">
            {openedAt === null ? gate.neverSeen : gate.seen(sayWhen(openedAt, reader))}
          </span>
        </span>
        {callerNumber !== null && (
          <CopyButton label={`${frame.copy} ${sayNumber(callerNumber)}`} text={callerNumber} isIcon />
        )}
      </div>
      <Switch
        label={says.may}
        aria-label={says.mayOf(name)}
        checked={shown.mayCall}
        disabled={disabled}
        onChange={event => void go({ mayCall: event.currentTarget.checked })}
      />
      <NativeSelect
        label={says.known}
        aria-label={says.knownOf(name)}
        value={shown.numberKnown}
        disabled={disabled}
        data={(Object.keys(says.knownNames) as Known[]).map(value => ({
          value,
          label: says.knownNames[value],
        }))}
        onChange={event => void go({ numberKnown: event.currentTarget.value as Known })}
      />
      <span role="alert" className="small caller-failed">
        {failure && sayProblem(failure, reader.words, { network_error: says.noAnswer })}
      </span>
    </Dialog>
  )
}
