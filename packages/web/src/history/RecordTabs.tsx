// On a phone, activity and alerts are tabs of the history, because the tab bar has no room for them.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import './RecordTabs.css'

const tabs = ['history', 'activity', 'alerts'] as const

export function RecordTabs({ shown }: { readonly shown: (typeof tabs)[number] }) {
  const { frame, history } = useWords()
  const { space } = useSpace()
  return (
    <nav className="record-tabs" aria-label={history.tabs}>
      {tabs.map(name => (
        <Link
          key={name}
          href={hrefOf(dashboardPaths[name], { spaceId: space.id })}
          aria-current={name === shown ? 'page' : undefined}
        >
          {frame.pages[name]}
        </Link>
      ))}
    </nav>
  )
}
