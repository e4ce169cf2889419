// How many of some steps are done, as a bar; the text beside it says the same.

import './StepBar.css'

/** The done parts come first, whichever steps they are: a step may be done before the one above it. */
export function StepBar({ done, of }: { readonly done: number; readonly of: number }) {
  const parts = Array.from({ length: of }, (_, place) => ({ key: `${place}`, place }))
  return (
    <span className="step-bar" aria-hidden="true">
      {parts.map(({ key, place }) => (
        <span key={key} className={place < done ? 'step-done' : place === done ? 'step-now' : undefined} />
      ))}
    </span>
  )
}
