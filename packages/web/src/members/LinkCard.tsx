// The card of the link: copy, share, show as a QR code, send again, replace.

import type { MemberView } from '@callgate/contract/app/appMember'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { icons } from '../kit/icons.tsx'
import { wallOf } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { LinkSheet } from './LinkSheet.tsx'
import { lateTexts } from './lateTexts.ts'
import { sayEnd } from './linkEnd.ts'
import { type Reader, sayUsed } from './memberWords.ts'
import { shortLink } from './shortLink.ts'
import { useFailureWords } from './useFailureWords.ts'
import { useReader } from './useMemberReader.ts'
import { useShare } from './useShare.ts'

/** Asks before the person's current link is invalidated. */
function ReplaceDialog(props: {
  readonly member: MemberView
  readonly close: () => void
  readonly done: () => void
}) {
  const { close, done, member } = props
  const says = useWords().member.link
  const reset = useChange('resetMemberLink')
  const sayFailure = useFailureWords()
  async function go() {
    const result = await reset({ params: { memberId: member.id }, body: {} })
    if (result.ok) done()
    return result
  }
  return (
    <AskDialog
      title={says.replaceTitle(member.name)}
      does={says.replace}
      doing={says.replacing}
      means={[]}
      isDanger
      sayFailure={sayFailure}
      go={go}
      close={close}
    >
      <p>{says.replaceWhy(member.name)}</p>
    </AskDialog>
  )
}

/** Mails the invitation again, where there is an address. */
function SendButton({ member }: { readonly member: MemberView }) {
  const says = useWords().member.link
  const send = useChange('sendInvitation')
  const [state, setState] = useState<'ready' | 'busy' | 'sent' | { readonly failed: string }>('ready')
  const sayFailure = useFailureWords()
  async function go() {
    setState('busy')
    const result = await send({ params: { memberId: member.id }, body: {} })
    setState(result.ok ? 'sent' : { failed: sayFailure(result) })
  }
  const { mail } = member.now
  const told =
    typeof state === 'object'
      ? state.failed
      : mail?.state === 'failed'
        ? says.mailFailed
        : state === 'sent'
          ? says.sent
          : mail
            ? says.mailWaiting
            : ''
  return (
    <>
      <Button
        look="soft"
        isWide
        icon={<icons.mail size={18} />}
        busy={state === 'busy' ? says.sending : undefined}
        onClick={() => void go()}
      >
        {says.send}
      </Button>
      <p className="small quiet link-told" role="status">
        {told}
      </p>
    </>
  )
}

/** After this time another phone is not reported as new, in milliseconds. */
const newsForMs = 14 * 86_400_000

const isNewPhone = (at: string | null, { nowMs }: Reader): at is string =>
  at !== null && nowMs - Date.parse(at) < newsForMs

/** The card of a member's link, which says when it ends. */
function MemberSheet(props: {
  readonly member: MemberView
  readonly link: string
  readonly gates: readonly string[]
  readonly close: () => void
}) {
  const { member, ...sheet } = props
  const { times, words } = useReader()
  const { endsAt } = member.now
  const end = endsAt === null ? undefined : wallOf(endsAt, times.zone)
  return <LinkSheet {...sheet} name={member.name} says={end === undefined ? [] : [sayEnd(end, words)]} />
}

/** Only where the browser can share. */
function ShareButton({ link, look }: { readonly link: string; readonly look: 'filled' | 'soft' }) {
  const says = useWords().member.link
  const share = useShare(link)
  return (
    share && (
      <Button look={look} isWide icon={<icons.share size={18} />} onClick={share}>
        {says.share}
      </Button>
    )
  )
}

/** Until a link was used, the next step is to hand it over. Without a gate it opens nothing. */
export const isToBeGiven = ({ accesses, now }: MemberView): boolean =>
  now.link !== null && now.lastUsedAt === null && accesses.length > 0

/** `gates` are the names of the gates that the link opens. */
export function LinkCard({
  gates,
  isChanging,
  member,
}: {
  readonly member: MemberView
  readonly gates: readonly string[]
  /** Something is to be saved: that is the next step then. */
  readonly isChanging: boolean
}) {
  const says = useWords().member.link
  const [shown, setShown] = useState<'sheet' | 'replace'>()
  const [isReplaced, setReplaced] = useState(false)
  const reader = useReader()
  const { link, newPhoneAt } = member.now
  const isNext = isToBeGiven(member)
  const look = isNext && !isChanging ? 'filled' : 'soft'
  const [firstName = member.name] = member.name.split(/\s+/)
  if (link === null)
    return (
      <Card title={says.title}>
        <p className="quiet">{says.none}</p>
      </Card>
    )
  const replace = (
    <button type="button" className="link small target link-replace" onClick={() => setShown('replace')}>
      {says.replace}
    </button>
  )
  return (
    <Card title={says.title}>
      <p className="small quiet">
        {isNext ? lateTexts(reader.words).next(firstName) : says.opens(firstName)}
      </p>
      <div className="link-line">
        <span className="mono">{shortLink(link)}</span>
        {!isNext && <CopyButton label={says.copy} text={link} isIcon />}
      </div>
      {isNext && <CopyButton label={says.copy} text={link} look={look} isWide />}
      <div className="link-buttons">
        <ShareButton link={link} look={look} />
        <Button look="soft" isWide icon={<icons.qr size={18} />} onClick={() => setShown('sheet')}>
          {says.qr}
        </Button>
        {member.email !== null && <SendButton member={member} />}
      </div>
      <p role="status" className="small link-told">
        {isReplaced ? says.replaced : ''}
      </p>
      {isNewPhone(newPhoneAt, reader) ? (
        <div className="link-alert small">
          <p>
            <b>{says.newPhone(sayUsed(newPhoneAt, reader))}</b> {says.newPhoneWhy(firstName)}
          </p>
          {replace}
        </div>
      ) : (
        replace
      )}
      {shown === 'sheet' && (
        <MemberSheet member={member} link={link} gates={gates} close={() => setShown(undefined)} />
      )}
      {shown === 'replace' && (
        <ReplaceDialog member={member} close={() => setShown(undefined)} done={() => setReplaced(true)} />
      )}
    </Card>
  )
}
