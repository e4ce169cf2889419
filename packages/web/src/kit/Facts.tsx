// Facts: names with their values, one below the other.

import type { ReactNode } from 'react'
import './Facts.css'

/** A name and its value. Unknown values are left out. */
export type Fact = readonly [string, string | null | undefined] | false

/** `children`: facts with another layout. */
export function Facts({ children, rows }: { readonly rows: readonly Fact[]; readonly children?: ReactNode }) {
  return (
    <dl className="facts">
      {rows
        .filter(row => row !== false)
        .map(
          ([name, value]) =>
            value && (
              <div className="fact" key={name}>
                <dt className="quiet">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      {children}
    </dl>
  )
}
