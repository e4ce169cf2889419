// The question before typed text is lost: one for all forms.

import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Router } from 'wouter'
import { useWords } from '../words/words.tsx'
import { Dialog } from './Dialog.tsx'
import { createLeaving, Held } from './leaving.ts'

/** Everything below it asks before a person leaves. */
export function AskedLeaving({ children }: { readonly children: ReactNode }) {
  const { frame } = useWords()
  const [asked, setAsked] = useState<{ readonly goOn: () => void }>()
  const [leaving] = useState(() => createLeaving(goOn => setAsked({ goOn })))
  // Registered before the router, which registers in an effect: on a window the first listener is called first.
  useLayoutEffect(() => leaving.listen(), [leaving])
  function goOn() {
    setAsked(undefined)
    asked?.goOn()
  }
  return (
    <Held value={leaving}>
      <Router aroundNav={leaving.aroundNav}>{children}</Router>
      {asked && (
        <Dialog
          title={frame.unsaved}
          does={frame.discard}
          look="danger"
          close={() => setAsked(undefined)}
          go={goOn}
        >
          <p>{frame.unsavedLost}</p>
        </Dialog>
      )}
    </Held>
  )
}
