// The user's own account: name and language, ways to sign in, and sessions.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSession } from '../client/session.tsx'
import { icons } from '../kit/icons.tsx'
import { Page } from '../kit/Page.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { AlertsCard } from './AlertsCard.tsx'
import { CodesCard } from './CodesCard.tsx'
import { OwnDataCard } from './OwnDataCard.tsx'
import { PasskeysCard } from './PasskeysCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { PushCard } from './PushCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { useProfileForm } from './useProfileForm.ts'
import './account.css'

/** Cards that belong together, drawn as one. */
function Group({ children, name }: { readonly name: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <p id={id} className="account-group">
        {name}
      </p>
      <div className="account-cards">{children}</div>
    </section>
  )
}

/** The ways in which the user signs in. */
function SecurityCards() {
  const says = useWords().account
  const read = useRead('getSecurity', {})
  const security = read.value
  return (
    <>
      <PasswordCard hasCodes={security !== undefined && security.totpEnabledAt !== null} />
      <NotRead what={says.what} of={read} />
      {!security && !read.failure && <Skeleton bars={[160, 161]} />}
      {security && <PasskeysCard passkeys={security.passkeys} />}
      {security && <CodesCard security={security} />}
    </>
  )
}

export function AccountPage() {
  const { account: says, frame } = useWords()
  const { spaces, user } = useSession()
  const form = useProfileForm()
  const back = (
    <p className="account-back">
      <icons.back size={16} />
      <Link href={dashboardPaths.home}>{says.back}</Link>
    </p>
  )
  return (
    <Page title={says.title} says={says.says(user.email)} above={spaces.length === 0 && back}>
      <div className="account">
        <Group name={says.groups.you}>
          <ProfileCard form={form} />
          <AlertsCard />
          {spaces.length > 0 && <PushCard />}
        </Group>
        <Group name={says.groups.signIn}>
          <SecurityCards />
          <SessionsCard />
        </Group>
        <Group name={says.groups.data}>
          <OwnDataCard />
        </Group>
        {form.isTyped && (
          <SaveBar says={frame.unsaved} isBusy={form.isBusy} save={form.send} discard={form.discard} />
        )}
      </div>
    </Page>
  )
}
