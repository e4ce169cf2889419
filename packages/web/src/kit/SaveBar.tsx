// The save bar: the number of unsaved changes, and the buttons for them; on a phone it is above the tab bar.

import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { icons } from './icons.tsx'
import { useTyped } from './leaving.ts'
import './SaveBar.css'

/** Shown only while something is unsaved, or nothing was ever saved. */
export function SaveBar(props: {
  /** The number of unsaved changes. */
  readonly says: ReactNode
  /** False: leaving the page loses nothing. */
  readonly isTyped?: boolean
  readonly isBusy: boolean
  /** The verb on its button, and while it works; `Save` by default. */
  readonly does?: string
  readonly doing?: string
  /** The reason of a failed save. */
  readonly trouble?: string | undefined
  /** The reason why saving is impossible now. */
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
