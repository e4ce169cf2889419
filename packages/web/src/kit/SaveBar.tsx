// The save bar: what is not saved yet, and what to do with it. On a phone it lies over the tab bar.

import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { icons } from './icons.tsx'
import './SaveBar.css'

/** Asks before the tab is closed while something is not saved. */
function useAskedBeforeClosing(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

/** The address of the page to which a click leads; undefined where this page stays as it is. */
function leadsTo({ altKey, ctrlKey, metaKey, shiftKey, target }: MouseEvent): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || altKey || ctrlKey || metaKey || shiftKey) return undefined
  const staysHere = link.target !== '' || link.hasAttribute('download') || link.hash !== ''
  return staysHere || link.origin !== location.origin ? undefined : link.pathname + link.search
}

/** Asks before a link leads away while something is not saved. */
function AskedBeforeLeaving() {
  const { frame } = useWords()
  const [, go] = useLocation()
  const [there, setThere] = useState<string>()
  useEffect(() => {
    const ask = (event: MouseEvent) => {
      const href = leadsTo(event)
      if (href === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setThere(href)
    }
    // Before the links of the page see it.
    document.addEventListener('click', ask, { capture: true })
    return () => document.removeEventListener('click', ask, { capture: true })
  }, [])
  if (there === undefined) return null
  return (
    <Dialog
      title={frame.unsaved}
      does={frame.discard}
      look="danger"
      close={() => setThere(undefined)}
      go={() => go(there)}
    >
      <p>{frame.unsavedLost}</p>
    </Dialog>
  )
}

/** It is there only while something is not saved. */
export function SaveBar(props: {
  /** How much is not saved. */
  readonly says: ReactNode
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
  useAskedBeforeClosing()
  return (
    <section className="save-bar" aria-label={frame.unsaved}>
      <AskedBeforeLeaving />
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
