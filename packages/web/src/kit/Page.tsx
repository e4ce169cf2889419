// The head of a page: its name, one sentence of its state, and its actions.

import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { icons } from './icons.tsx'
import './Page.css'

/** The way back to the page that this one is a part of, over its name. */
export function Above({ children, href }: { readonly href: string; readonly children: string }) {
  return (
    <Link className="page-above target" href={href}>
      {children}
      <icons.next size={16} />
    </Link>
  )
}

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
