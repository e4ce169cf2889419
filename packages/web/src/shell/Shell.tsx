// The frame of every page: the rail with the Space, the pages and the user; on a phone a top bar and a tab bar.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { UserSpace } from '@callgate/contract/app/session'
import { Menu, UnstyledButton } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { useLostSince } from '../client/live.tsx'
import { useSpace } from '../client/session.tsx'
import { nowMs, useIsLate } from '../clock.ts'
import { Mark } from '../kit/firstIcons.tsx'
import { icons } from '../kit/icons.tsx'
import { OfflineBanner, useOffline } from '../kit/states.tsx'
import { deviceTime } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { Destinations } from './Destinations.tsx'
import { LatePalette } from './LatePalette.tsx'
import { hrefOf } from './navigation.ts'
import { UserMenu } from './UserMenu.tsx'
import './shell.css'

const dayMs = 86_400_000
const notLiveAfterMs = 5_000

function sayPlan({ plan, trialEndsAt }: UserSpace, words: Words['frame']): string {
  const leftMs = trialEndsAt === null ? 0 : Date.parse(trialEndsAt) - nowMs()
  if (leftMs > 0) return words.trial(Math.ceil(leftMs / dayMs))
  return words.plan(plan.charAt(0).toUpperCase() + plan.slice(1))
}

/** The Space of the page; with several Spaces, a menu to the others. */
function SpaceSwitch() {
  const words = useWords().frame
  const { session, space } = useSpace()
  const [, go] = useLocation()
  const shown = (
    <>
      <Mark size={30} />
      <span className="space-names">
        <b>{space.name}</b>
        {space.mode === 'live' && <span className="small quiet">{sayPlan(space, words)}</span>}
      </span>
    </>
  )
  if (session.spaces.length < 2) return <div className="space-switch">{shown}</div>
  return (
    <Menu position="bottom-start" width={232} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className="space-switch">
          {shown}
          <icons.selector size={20} />
          <span className="heard">{words.chooseSpace}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {session.spaces.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => go(hrefOf(dashboardPaths.gates, { spaceId: id }))}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The stripe above every page of a sandbox, by which nobody takes it for a live Space. */
function SandboxStripe() {
  const words = useWords().frame
  const { space } = useSpace()
  if (space.mode !== 'sandbox') return null
  return (
    <p className="sandbox-stripe">
      <span>
        <b>{words.sandbox}</b> {words.sandboxWhy}
      </span>
    </p>
  )
}

/** It comes while the gates are locked, and not with a first visit. */
const LockDownBanner = lazy(async () => ({
  default: (await import('../lockDown/LockDownBanner.tsx')).LockDownBanner,
}))

/** On every page while all gates are locked. */
function LockDownNotice() {
  const { space } = useSpace()
  return (
    <div role="status">
      {space.lockDown && (
        <Suspense>
          <LockDownBanner lockDown={space.lockDown} />
        </Suspense>
      )}
    </div>
  )
}

/**
 * The banner above every page while no events come although there is a network. It appears only after a while, because most
 * interruptions are short.
 */
function NotLiveBanner() {
  const words = useWords()
  const since = useLostSince()
  const isOffline = useOffline() !== undefined
  return (
    <div role="status">
      {since !== undefined && !isOffline && <LateNotLive key={since} since={since} words={words} />}
    </div>
  )
}

function LateNotLive({ since, words }: { readonly since: number; readonly words: Words }) {
  if (!useIsLate(notLiveAfterMs)) return null
  return (
    <p className="banner banner-look">
      <icons.offline />
      <span>
        <b>{words.frame.notLive(deviceTime(since, words.locale))}</b> {words.frame.notLiveWhy}
      </span>
    </p>
  )
}

export function Shell({ children }: { readonly children: ReactNode }) {
  const words = useWords().frame
  const [isFinding, setFinding] = useState(false)
  const find = useCallback(() => setFinding(true), [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header className="rail">
        <SpaceSwitch />
        <Destinations isTabBar={false} />
        <UserMenu find={find} />
      </header>
      <main className="content" id="content" tabIndex={-1}>
        <SandboxStripe />
        <LockDownNotice />
        <OfflineBanner />
        <NotLiveBanner />
        {children}
      </main>
      <Destinations isTabBar />
      <LatePalette isOpen={isFinding} open={find} close={() => setFinding(false)} />
    </div>
  )
}
