// A question before something ends or changes for good. It names what that means, and asks who is there where that is needed.

import { type ReactNode, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { useConfirmation } from './Confirm.tsx'

export function AskDialog<Done extends { readonly ok: true }>(props: {
  readonly title: string
  readonly does: string
  readonly doing: string
  /** What ends or changes. */
  readonly means: readonly string[]
  readonly isDanger?: true
  /** In the place of the usual texts. */
  readonly sayFailure?: (failure: Failure) => string
  readonly go: () => Promise<Done | Failure>
  /** What follows when it succeeds. Absent: the dialog closes. */
  readonly done?: (result: Done) => void
  readonly close: () => void
  readonly children?: ReactNode
}) {
  const { close, means } = props
  const words = useWords()
  const { confirmed, dialog } = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  async function go() {
    setBusy(true)
    setFailure(undefined)
    const result = await confirmed(props.go)
    if (result?.ok) return props.done ? props.done(result) : close()
    setBusy(false)
    setFailure(result)
  }
  if (dialog) return dialog
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
      <div role="alert">
        {failure && (
          <Banner tone="shut" title={words.confirm.notDone}>
            {props.sayFailure ? props.sayFailure(failure) : sayProblem(failure, words)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
