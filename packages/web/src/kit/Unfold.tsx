// The button of a row that unfolds to its details.

import type { ReactNode } from 'react'
import { icons } from './icons.tsx'
import './Unfold.css'

/** `className` sets the layout of the row. */
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
