// A table with days as groups of rows; on a phone the cells of a row are below each other.

import { Fragment, type ReactNode } from 'react'
import './DayTable.css'

/** `columns`: the head of each column by its name, which is also its class. A day holds its rows in their order. */
export function DayTable<Row extends { readonly id: string }>(props: {
  readonly className: string
  readonly caption: string
  readonly columns: Readonly<Record<string, string>>
  readonly days: readonly { readonly day: string; readonly rows: readonly Row[] }[]
  /** `before` is the row above it on the same day. */
  readonly children: (row: Row, before: Row | undefined) => ReactNode
}) {
  const { caption, children, className, columns, days } = props
  const heads = Object.entries(columns)
  return (
    <table className={`card day-table ${className}`}>
      <caption className="heard">{caption}</caption>
      <thead>
        <tr>
          {heads.map(([name, head]) => (
            <th key={name} scope="col" className={`column-${name}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {days.map(({ day, rows }) => (
        <tbody key={day}>
          <tr className="day-table-day">
            <th colSpan={heads.length} scope="rowgroup">
              {day}
            </th>
          </tr>
          {rows.map((row, place) => (
            <Fragment key={row.id}>{children(row, rows[place - 1])}</Fragment>
          ))}
        </tbody>
      ))}
    </table>
  )
}
