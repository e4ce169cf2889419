// A card: a part of a page with a heading of its own, which can be folded up on a phone.

import { type ReactNode, useId, useState } from 'react'
import { icons } from './icons.tsx'
import './Card.css'

export function Card(props: {
  readonly title: string
  readonly children: ReactNode
  /** On a phone only the title shows at first. */
  readonly isFoldedOnPhones?: true
}) {
  const { children, isFoldedOnPhones = false, title } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <section
      className={`card card-parts${isFoldedOnPhones && !isOpen ? ' card-folded' : ''}`}
      aria-labelledby={id}
    >
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {isFoldedOnPhones && (
          <button
            type="button"
            className="card-fold"
            aria-expanded={isOpen}
            aria-labelledby={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <icons.openedUp /> : <icons.closed />}
          </button>
        )}
      </div>
      <div className="card-body">{children}</div>
    </section>
  )
}
