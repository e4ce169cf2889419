// The initials of a person or a role, in a circle.

import './Initials.css'

/** `Ana Pop` → `AP`; `Courier, north tour` → `CN`. */
function initialsOf(name: string): string {
  return (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}

/** Hidden from a screen reader: put the name beside it. */
export function Initials({
  name,
  size = 'small',
}: {
  readonly name: string
  readonly size?: 'small' | 'large'
}) {
  return (
    <span className={`initials initials-${size}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
