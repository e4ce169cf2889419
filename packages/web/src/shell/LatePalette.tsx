// Ctrl-K or ⌘K opens the palette on every page. Its program is loaded with the first of these keys.

import { lazy, Suspense, useEffect } from 'react'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

export function LatePalette(props: {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}) {
  const { close, isOpen, open } = props
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isMeant =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'k'
      // A dialog has a question of its own, which a page must not answer by going away.
      if (!isMeant || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
  if (!isOpen) return null
  return (
    <Suspense>
      <Palette close={close} />
    </Suspense>
  )
}
