// A table whose rows are cards on a phone.

import type { ReactNode } from 'react'
import './CardTable.css'

/** `heads` are the names of the columns; the column of the row's own button has no name. The children are rows. */
export function CardTable(props: {
  readonly className: string
  readonly heads: readonly string[]
  readonly children: ReactNode
}) {
  const { children, className, heads } = props
  return (
    <div className="card card-table-frame">
      <table className={`card-table ${className}`}>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
