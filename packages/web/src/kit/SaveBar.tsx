// The save bar: what is not saved yet, and what to do with it. On a phone it lies over the tab bar.

import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { icons } from './icons.tsx'
import { useTyped } from './leaving.ts'
import './SaveBar.css'

/** It is there only while something is not saved, or nothing was saved ever. */
export function SaveBar(props: {
  /** How much is not saved. */
  readonly says: ReactNode
  /** False: nothing is lost when the page is left. */
  readonly isTyped?: boolean
  readonly isBusy: boolean
  /** The verb on its button, and while it works; `Save` without. */
  readonly does?: string
  readonly doing?: string
  /** Why it was not saved. */
  readonly trouble?: string | undefined
  /** Why it cannot be saved at the moment. */
  readonly hindered?: string | undefined
  readonly save: () => void
  readonly discard: () => void
}) {
  const { frame } = useWords()
  useTyped(props.isTyped ?? true)
  return (
    <section className="save-bar" aria-label={frame.unsaved}>
      {props.trouble !== undefined && (
        <p className="save-bar-trouble" role="alert">
          <icons.error size={20} />
          <span>{props.trouble}</span>
        </p>
      )}
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
