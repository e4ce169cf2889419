// The banner: something that has just happened or needs attention, in a part that stays.

import type { ReactNode } from 'react'
import { icons } from './icons.tsx'
import './states.css'

const iconOf = { call: icons.clock, open: icons.opened, look: icons.alert, shut: icons.error } as const

/** `title` comes first, in bold; `action` is at the end. */
export function Banner(props: {
  readonly tone: keyof typeof iconOf
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  const { action, children, title, tone } = props
  const Icon = iconOf[tone]
  return (
    <div className={`banner banner-${tone}`}>
      <Icon size={20} />
      <span>
        {title !== undefined && <b>{title} </b>}
        {children}
      </span>
      {action}
    </div>
  )
}
