// A question before something ends or changes for good: it explains the effect, and asks for a confirmation of identity where
// needed.

import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'
import { useSending } from './useSending.ts'

export function AskDialog<Done extends { readonly ok: true }>(props: {
  readonly title: string
  readonly does: string
  readonly doing: string
  /** What ends or changes. */
  readonly means: readonly string[]
  readonly isDanger?: true
  /** Replaces the usual texts. */
  readonly sayFailure?: (failure: Failure) => string
  readonly go: () => Promise<Done | Failure>
  /** Runs after a success. Absent: the dialog closes. */
  readonly done?: (result: Done) => void
  readonly close: () => void
  readonly children?: ReactNode
}) {
  const { close, means } = props
  const { notDone } = useWords().confirm
  const { asksWho, failure, isBusy, send } = useSending()
  async function go() {
    const result = await send(props.go)
    if (result?.ok) props.done ? props.done(result) : close()
  }
  if (asksWho) return asksWho
  return (
    <Dialog
      title={props.title}
      does={props.does}
      look={props.isDanger ? 'danger' : 'filled'}
      busy={isBusy ? props.doing : undefined}
      close={close}
      go={() => void go()}
    >
      {means.length > 0 && (
        <ul className="dialog-means">
          {means.map(mean => (
            <li key={mean}>{mean}</li>
          ))}
        </ul>
      )}
      {props.children}
      <Trouble form={{ failure }} title={notDone} sayFailure={props.sayFailure} />
    </Dialog>
  )
}
