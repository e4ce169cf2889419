// The dashboard: it shows the sign-in, or the page of the address to a user who is signed in, and loads what each needs.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Suspense, useEffect, useState } from 'react'
import { Route, Switch } from 'wouter'
import { createClient } from './client/client.ts'
import { Connection } from './client/connection.tsx'
import { lastSpaceId } from './client/lastSpace.ts'
import { SessionHolder, useSessions } from './client/session.tsx'
import { AskedLeaving } from './kit/AskedLeaving.tsx'
import { NotRead } from './kit/states.tsx'
import { beginPage } from './pages.ts'
import { lazy, Shown } from './shell/lazy.tsx'
import { readFirstWords, readWords, Speaking, type Spoken, useSpeech, WithAllWords } from './words/words.tsx'

const signInPage = lazy(async () => ({ default: (await import('./signIn/SignInPage.tsx')).SignInPage }))
const signedIn = lazy(async () => ({ default: (await import('./SignedIn.tsx')).SignedIn }))
const enrolPage = lazy(async () => ({ default: (await import('./gateways/EnrolPage.tsx')).EnrolPage }))

/** The pages of mailed links, for users with and without a session. */
const ofMails = {
  invitation: lazy(async () => ({
    default: (await import('./signIn/InvitationPage.tsx')).InvitationPage,
  })),
  passwordForgotten: lazy(async () => ({
    default: (await import('./signIn/PasswordPages.tsx')).ForgottenPage,
  })),
  passwordReset: lazy(async () => ({ default: (await import('./signIn/PasswordPages.tsx')).ResetPage })),
} satisfies Partial<Record<keyof typeof dashboardPaths, unknown>>

/** Loads what a signed-in user sees at the address. */
async function loadAhead(): Promise<void> {
  await Promise.all([signedIn.begin(), beginPage(location.pathname)])
}

/**
 * Begins to load what the page of the address needs, while the session is being read, and reads the words. A browser that has
 * shown a Space is likely to show one again; another one begins with the sign-in.
 */
export function begin(): Promise<Spoken> {
  const isKnown = lastSpaceId() !== null
  // Nothing can be shown without the texts, so they are requested first.
  const reading = isKnown ? readWords() : readFirstWords()
  void (isKnown ? loadAhead() : signInPage.begin())
  return reading
}

function SessionPage() {
  const { ask, status } = useSessions()
  const { suggest } = useSpeech()
  const spoken = status.is === 'in' ? status.session.user.language : undefined
  useEffect(() => {
    if (spoken !== undefined) void suggest(spoken)
  }, [spoken, suggest])
  if (status.is === 'asking') return null
  if (status.is === 'out') return <Shown page={signInPage} params={{ loadAhead }} />
  if (status.is === 'unknown')
    return (
      <main className="content">
        <NotRead
          what="Callgate"
          of={{ failure: status.failure, readAgain: () => void ask(), isReading: false }}
        />
      </main>
    )
  return (
    <WithAllWords>
      <Shown page={signedIn} params={{}} />
    </WithAllWords>
  )
}

/** The pages of mailed links and QR codes; then the other pages. */
function Pages() {
  return (
    <Suspense fallback={null}>
      <Switch>
        {Object.entries(ofMails).map(([name, page]) => (
          <Route key={name} path={dashboardPaths[name as keyof typeof ofMails]}>
            <Shown page={page} params={{}} />
          </Route>
        ))}
        <Route path={dashboardPaths.enrol}>
          <WithAllWords>
            <Shown page={enrolPage} params={{}} />
          </WithAllWords>
        </Route>
        <Route component={SessionPage} />
      </Switch>
    </Suspense>
  )
}

export function Dashboard({ spoken }: { readonly spoken: Spoken }) {
  const [client] = useState(createClient)
  return (
    <Speaking spoken={spoken}>
      <Connection client={client}>
        <SessionHolder>
          <AskedLeaving>
            <Pages />
          </AskedLeaving>
        </SessionHolder>
      </Connection>
    </Speaking>
  )
}
