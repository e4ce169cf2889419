// The dashboard: it shows the sign-in, or the page of the address to a user who is signed in.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Session, UserSpace } from '@callgate/contract/app/session'
import { MantineProvider, Modal } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { createClient } from './client/client.ts'
import { LiveUpdates } from './client/live.tsx'
import { Connection } from './client/reading.tsx'
import { SessionHolder, SpaceHolder, useSessions } from './client/session.tsx'
import { EnrolPage } from './gateways/EnrolPage.tsx'
import { AskedLeaving } from './kit/AskedLeaving.tsx'
import { Button, ButtonLink } from './kit/Button.tsx'
import { Page } from './kit/Page.tsx'
import { Empty, NotRead, OfflineBanner, Skeleton } from './kit/states.tsx'
import { lazy, Shown } from './shell/lazy.tsx'
import { hrefOf } from './shell/navigation.ts'
import { Shell } from './shell/Shell.tsx'
import { InvitationPage } from './signIn/InvitationPage.tsx'
import { ForgottenPage, ResetPage } from './signIn/PasswordPages.tsx'
import { SignInForm } from './signIn/SignInForm.tsx'
import { SignInPage } from './signIn/SignInPage.tsx'
import { theme } from './theme/theme.ts'
import { Speaking, type Spoken, useSpeech, useWords } from './words/words.tsx'

const gatewaysPage = async () => ({ default: (await import('./gateways/GatewaysPage.tsx')).GatewaysPage })

/** The page at each path of a Space. Each is loaded when it is first shown. */
const pages = {
  gates: lazy(async () => ({ default: (await import('./gates/GatesPage.tsx')).GatesPage })),
  // Listed before the page of a gate, whose address has the same form.
  firstSteps: lazy(async () => ({
    default: (await import('./firstSteps/FirstStepsPage.tsx')).FirstStepsPage,
  })),
  gate: lazy(async () => ({ default: (await import('./gates/GatePage.tsx')).GatePage })),
  calibration: lazy(async () => ({
    default: (await import('./calibration/CalibrationPage.tsx')).CalibrationPage,
  })),
  history: lazy(async () => ({ default: (await import('./history/HistoryPage.tsx')).HistoryPage })),
  activity: lazy(async () => ({ default: (await import('./activity/ActivityPage.tsx')).ActivityPage })),
  alerts: lazy(async () => ({ default: (await import('./history/AlertsPage.tsx')).AlertsPage })),
  gateways: lazy(gatewaysPage),
  gateway: lazy(gatewaysPage),
  members: lazy(async () => ({ default: (await import('./members/MembersPage.tsx')).MembersPage })),
  newMember: lazy(async () => ({ default: (await import('./members/NewMemberPage.tsx')).NewMemberPage })),
  member: lazy(async () => ({ default: (await import('./members/MemberPage.tsx')).MemberPage })),
  settings: lazy(async () => ({ default: (await import('./settings/SpacePage.tsx')).SpacePage })),
  apiKeys: lazy(async () => ({ default: (await import('./settings/KeysPage.tsx')).KeysPage })),
  users: lazy(async () => ({ default: (await import('./settings/UsersPage.tsx')).UsersPage })),
  alertChoices: lazy(async () => ({
    default: (await import('./settings/AlertChoicesPage.tsx')).AlertChoicesPage,
  })),
  plan: lazy(async () => ({ default: (await import('./settings/PlanPage.tsx')).PlanPage })),
} satisfies Partial<Record<keyof typeof dashboardPaths, unknown>>

const accountPage = lazy(async () => ({ default: (await import('./account/AccountPage.tsx')).AccountPage }))

/** Begins to load the page of an address while the session is being read. Most visits begin with the gates. */
export function beginPage(address: string): void {
  const patterns = Object.entries(dashboardPaths)
  const [name] =
    patterns.find(([, path]) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address)) ?? []
  const ahead = { ...pages, home: pages.gates, account: accountPage }
  ahead[name as keyof typeof ahead]?.begin()
}

const lastSpace = 'callgate.space'

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
  const last = localStorage.getItem(lastSpace)
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
  localStorage.setItem(lastSpace, space.id)
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

function SessionPage() {
  const { ask, status } = useSessions()
  const { suggest } = useSpeech()
  const spoken = status.is === 'in' ? status.session.user.language : undefined
  useEffect(() => {
    if (spoken !== undefined) void suggest(spoken)
  }, [spoken, suggest])
  if (status.is === 'asking') return null
  if (status.is === 'out') return <SignInPage />
  if (status.is === 'unknown')
    return (
      <main className="content">
        <NotRead
          what="Callgate"
          of={{ failure: status.failure, readAgain: () => void ask(), isReading: false }}
        />
      </main>
    )
  const { hasEnded, session } = status
  return (
    <>
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
      {hasEnded && <SignInAgain email={session.user.email} />}
    </>
  )
}

/** The pages of mailed links and QR codes, for users with and without a session; then the other pages. */
function Pages() {
  return (
    <Switch>
      <Route path={dashboardPaths.invitation} component={InvitationPage} />
      <Route path={dashboardPaths.enrol} component={EnrolPage} />
      <Route path={dashboardPaths.passwordForgotten} component={ForgottenPage} />
      <Route path={dashboardPaths.passwordReset} component={ResetPage} />
      <Route component={SessionPage} />
    </Switch>
  )
}

export function Dashboard({ spoken }: { readonly spoken: Spoken }) {
  const [client] = useState(createClient)
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Speaking spoken={spoken}>
        <Connection client={client}>
          <SessionHolder>
            <AskedLeaving>
              <Pages />
            </AskedLeaving>
          </SessionHolder>
        </Connection>
      </Speaking>
    </MantineProvider>
  )
}
