// The frame of the pages without a session, beside the ring that shows how a gate opens.

import type { ReactNode } from 'react'
import { Mark } from '../kit/firstIcons.tsx'
import { Ring } from '../kit/Ring.tsx'
import { useFirstWords } from '../words/words.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import './Entrance.css'

/** A picture of a call: three of four phases are done. */
function CallPicture() {
  const { phases, ...words } = useFirstWords().signIn
  const [count, unit] = words.seconds(6).split(' ')
  const shown = [phases.asked, phases.calling, phases.ringing, phases.taken]
  return (
    <div className="sign-in-picture" aria-hidden="true">
      <Ring lit={3} tone="call" size={420}>
        <span className="sign-in-counter">
          {count}
          <small>{unit}</small>
        </span>
        <span className="sign-in-phase">{phases.ringing[0]}</span>
      </Ring>
      <ol>
        {shown.map(([name, what], place) => (
          <li key={name} className={place < 3 ? 'sign-in-done' : ''}>
            <b>{name}</b>
            <span>{what}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** A page without a session, beside the picture. */
export function Entrance({
  children,
  intro,
  title,
}: {
  readonly title: string
  readonly intro: string
  readonly children: ReactNode
}) {
  const words = useFirstWords().signIn
  return (
    <div className="sign-in">
      <title>{`${title} · Callgate`}</title>
      <div className="sign-in-side">
        <header className="sign-in-brand">
          <Mark size={28} />
          Callgate
        </header>
        <main className="sign-in-main">
          <h1>{title}</h1>
          <p className="quiet">{intro}</p>
          {children}
        </main>
        <footer className="sign-in-foot small hint">
          <span>{words.invited}</span>
          <LanguageChoice />
        </footer>
      </div>
      <CallPicture />
    </div>
  )
}
