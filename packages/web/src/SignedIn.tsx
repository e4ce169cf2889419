// What a signed-in user sees: the page of the address in its frame, and the sign-in over it when the session has ended.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Session, UserSpace } from '@callgate/contract/app/session'
import { MantineProvider, Modal } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import './theme/mantine.css'
import { keepLastSpace, lastSpaceId } from './client/lastSpace.ts'
import { LiveUpdates } from './client/live.tsx'
import { Readings } from './client/reading.tsx'
import { SpaceHolder, useSessions } from './client/session.tsx'
import { Button, ButtonLink } from './kit/Button.tsx'
import { LeavingDialog } from './kit/LeavingDialog.tsx'
import { Page } from './kit/Page.tsx'
import { Empty, OfflineBanner, Skeleton } from './kit/states.tsx'
import { accountPage, pages } from './pages.ts'
import { Shown } from './shell/lazy.tsx'
import { hrefOf } from './shell/navigation.ts'
import { Shell } from './shell/Shell.tsx'
import { SignInForm } from './signIn/SignInForm.tsx'
import { theme } from './theme/theme.ts'
import { useWords } from './words/words.tsx'

function NoPage() {
  const words = useWords().frame
  return (
    <Page title={words.noPage} says={words.noPageWhy}>
      <ButtonLink href={dashboardPaths.home}>{words.toGates}</ButtonLink>
    </Page>
  )
}

/** The Space that this browser showed last, else the first one; undefined for a user without Spaces. */
function lastSpaceOf({ spaces }: Session): UserSpace | undefined {
  const last = lastSpaceId()
  return spaces.find(({ id }) => id === last) ?? spaces[0]
}

/** The frame of a Space around a page. */
function Framed(props: {
  readonly session: Session
  readonly space: UserSpace
  readonly children: ReactNode
}) {
  const { children, session, space } = props
  return (
    <SpaceHolder key={space.id} session={session} space={space}>
      <LiveUpdates>
        <Shell>
          <Suspense fallback={<Skeleton bars={[32, 160]} />}>{children}</Suspense>
        </Shell>
      </LiveUpdates>
    </SpaceHolder>
  )
}

/** A page of one Space. A Space of other users is shown like one that does not exist. */
function SpacePages({ session, spaceId }: { readonly session: Session; readonly spaceId: string }) {
  const space = session.spaces.find(({ id }) => id === spaceId)
  if (!space) return <NoPage />
  keepLastSpace(space.id)
  return (
    <Framed session={session} space={space}>
      <Switch>
        {Object.entries(pages).map(([name, page]) => (
          <Route key={name} path={dashboardPaths[name as keyof typeof pages]}>
            {params => <Shown page={page} params={params} />}
          </Route>
        ))}
        <Route component={NoPage} />
      </Switch>
    </Framed>
  )
}

/** The own account belongs to no Space: it is shown in the frame of the last shown Space, or without a frame. */
function Account({ session }: { readonly session: Session }) {
  const space = lastSpaceOf(session)
  if (space)
    return (
      <Framed session={session} space={space}>
        <Shown page={accountPage} params={{}} />
      </Framed>
    )
  return (
    <main className="content">
      <OfflineBanner />
      <Suspense fallback={<Skeleton bars={[32, 160]} />}>
        <Shown page={accountPage} params={{}} />
      </Suspense>
    </main>
  )
}

/** The gates of the Space that this browser showed last, else of the first one. */
function Home({ session }: { readonly session: Session }) {
  const { account, frame: words } = useWords()
  const { signOut } = useSessions()
  const space = lastSpaceOf(session)
  if (space) return <Redirect to={hrefOf(dashboardPaths.gates, { spaceId: space.id })} replace />
  const actions = (
    <div className="empty-actions">
      <ButtonLink href={dashboardPaths.account}>{account.open}</ButtonLink>
      <Button onClick={() => void signOut()}>{words.signOut}</Button>
    </div>
  )
  return (
    <main className="content">
      <Empty title={words.noSpace} action={actions}>
        {words.noSpaceWhy}
      </Empty>
    </main>
  )
}

/** When the session ends, the page stays as it is: a dialog over it asks to sign in again. */
function SignInAgain({ email }: { readonly email: string }) {
  const words = useWords().signIn
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} title={words.ended}>
      <p className="quiet">{words.endedWhy}</p>
      <SignInForm email={email} />
    </Modal>
  )
}

/** The pages of whoever is signed in. */
export function SignedIn() {
  const { status } = useSessions()
  if (status.is !== 'in') return null
  const { hasEnded, session } = status
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Readings>
        <Switch>
          <Route path={dashboardPaths.home}>
            <Home session={session} />
          </Route>
          <Route path={dashboardPaths.account}>
            <Account session={session} />
          </Route>
          <Route path="/spaces/:spaceId/*?">
            {({ spaceId }) => <SpacePages session={session} spaceId={spaceId} />}
          </Route>
          <Route component={NoPage} />
        </Switch>
        <LeavingDialog />
        {hasEnded && <SignInAgain email={session.user.email} />}
      </Readings>
    </MantineProvider>
  )
}
