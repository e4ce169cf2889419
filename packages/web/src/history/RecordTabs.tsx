// On a phone the activity is a tab of the history: the tab bar has no room for it.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import './RecordTabs.css'

export function RecordTabs({ shown }: { readonly shown: 'history' | 'activity' }) {
  const { frame, history } = useWords()
  const { space } = useSpace()
  return (
    <nav className="record-tabs" aria-label={history.tabs}>
      {(['history', 'activity'] as const).map(name => (
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
