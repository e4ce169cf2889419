// The question before typed text is lost: one for all forms.

import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { createLeaving, Held } from './leaving.ts'

/** The question that is asked now: its two answers. */
interface Question {
  readonly stay: () => void
  readonly leave: () => void
}
const Asked = createContext<Question | undefined>(undefined)

/** Everything below it asks before a person leaves. `LeavingDialog` shows the question, on the pages that have text to lose. */
export function AskedLeaving({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<{ readonly goOn: () => void }>()
  const [leaving] = useState(() => createLeaving(goOn => setAsked({ goOn })))
  // Registered before the router, which registers in an effect: on a window the first listener is called first.
  useLayoutEffect(() => leaving.listen(), [leaving])
  const question = useMemo(
    () =>
      asked && {
        stay: () => setAsked(undefined),
        leave() {
          setAsked(undefined)
          asked.goOn()
        },
      },
    [asked],
  )
  return (
    <Held value={leaving}>
      <Router aroundNav={leaving.aroundNav}>
        <Asked value={question}>{children}</Asked>
      </Router>
    </Held>
  )
}

/** The question that is asked now; undefined where none is. */
export const useLeavingQuestion = (): Question | undefined => useContext(Asked)
