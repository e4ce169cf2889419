// Steps as a bar: a part for each, filled where it is done; the text beside it says the same.

import './StepBar.css'

/** `steps`: whether each is done, by its name, in their order. */
export function StepBar({ steps }: { readonly steps: Readonly<Record<string, boolean>> }) {
  const parts = Object.entries(steps)
  const now = parts.find(([, isDone]) => !isDone)?.[0]
  return (
    <span className="step-bar" aria-hidden="true">
      {parts.map(([name, isDone]) => (
        <span key={name} className={isDone ? 'step-done' : name === now ? 'step-now' : undefined} />
      ))}
    </span>
  )
}
