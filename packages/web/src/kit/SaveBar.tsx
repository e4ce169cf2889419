// The save bar: what is not saved yet, and what to do with it. On a phone it lies over the tab bar.

import { type ReactNode, useEffect } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import './SaveBar.css'

/** Asks before the tab is closed while something is not saved. */
function useAskedBeforeLeaving(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

/** It is there only while something is not saved. */
export function SaveBar(props: {
  /** How much is not saved. */
  readonly says: ReactNode
  readonly isBusy: boolean
  /** The verb on its button, and while it works; `Save` without. */
  readonly does?: string
  readonly doing?: string
  /** Why it cannot be saved at the moment. */
  readonly hindered?: string | undefined
  readonly save: () => void
  readonly discard: () => void
}) {
  const { frame } = useWords()
  useAskedBeforeLeaving()
  return (
    <section className="save-bar" aria-label={frame.unsaved}>
      <p className="save-bar-says" role="status">
        {props.hindered ?? props.says}
      </p>
      <Button look="quiet" disabled={props.isBusy} onClick={props.discard}>
        {frame.discard}
      </Button>
      <Button
        look="filled"
        busy={props.isBusy ? (props.doing ?? frame.saving) : undefined}
        disabled={props.hindered !== undefined}
        onClick={props.save}
      >
        {props.does ?? frame.save}
      </Button>
    </section>
  )
}
