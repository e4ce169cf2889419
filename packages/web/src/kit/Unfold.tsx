// The button of a row that unfolds to what is behind it.

import type { ReactNode } from 'react'
import { icons } from './icons.tsx'
import './Unfold.css'

/** `className` says how the row is laid out. */
export function Unfold(props: {
  readonly className: string
  readonly isUnfolded: boolean
  readonly unfold: (isUnfolded: boolean) => void
  readonly arrow?: 16 | 20
  readonly children: ReactNode
}) {
  const { arrow = 16, children, className, isUnfolded, unfold } = props
  const Arrow = isUnfolded ? icons.openedUp : icons.closed
  return (
    <button
      type="button"
      className={`unfold ${className}`}
      aria-expanded={isUnfolded}
      onClick={() => unfold(!isUnfolded)}
    >
      {children}
      <Arrow size={arrow} />
    </button>
  )
}
