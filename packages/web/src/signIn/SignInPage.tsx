// The page where a person signs in, beside the ring that shows how a gate opens.

import { Mark } from '../kit/icons.tsx'
import { Ring } from '../kit/Ring.tsx'
import { LanguageChoice } from '../shell/LanguageChoice.tsx'
import { useWords } from '../words/words.tsx'
import { SignInForm } from './SignInForm.tsx'
import './SignInPage.css'

/** A picture of a call: three of four phases are done. */
function CallPicture() {
  const { phases, ...words } = useWords().signIn
  const shown = [phases.asked, phases.calling, phases.ringing, phases.taken]
  return (
    <div className="sign-in-picture" aria-hidden="true">
      <Ring lit={3} tone="call" size={420}>
        <span className="sign-in-counter">{words.seconds(6).replace(' ', '\u200a')}</span>
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

export function SignInPage() {
  const words = useWords().signIn
  return (
    <div className="sign-in">
      <title>{`${words.title} · Callgate`}</title>
      <div className="sign-in-side">
        <header className="sign-in-brand">
          <Mark size={28} />
          Callgate
        </header>
        <main className="sign-in-main">
          <h1>{words.title}</h1>
          <p className="quiet">{words.intro}</p>
          <SignInForm />
          <p className="small quiet">{words.guest}</p>
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
