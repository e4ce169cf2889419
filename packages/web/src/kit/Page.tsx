// The head of a page: its name, one sentence of its state, and its actions.

import { type ReactNode, useEffect } from 'react'
import './Page.css'

export function Page(props: {
  readonly title: string
  /** One sentence of state. Its place is there before it is known. */
  readonly says?: ReactNode
  /** The link back to the list that this page comes from. */
  readonly above?: ReactNode
  readonly badge?: ReactNode
  /** An element before the name, as wide as its content. */
  readonly before?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const { above, actions, badge, before, children, says, title } = props
  useEffect(() => {
    document.title = `${title} · Callgate`
  }, [title])
  return (
    <>
      <div className="page-head">
        <div className="page-names">
          {above}
          <div className="page-named">
            {before}
            <div>
              <div className="page-title">
                <h1>{title}</h1>
                {badge}
              </div>
              {'says' in props && <p className="quiet page-says">{says}</p>}
            </div>
          </div>
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
