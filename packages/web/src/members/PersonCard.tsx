// The card of the person: name, e-mail, phone and note.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { limits } from '@callgate/contract/limits'
import { Textarea, TextInput } from '@mantine/core'
import { Link } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSettled } from '../clock.ts'
import { Card } from '../kit/Card.tsx'
import { Field } from '../kit/Field.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { isEmail } from './memberBody.ts'
import type { MemberValues, PersonField, Theirs } from './memberDraft.ts'
import { TheirValue } from './TheirValue.tsx'

interface PersonCardProps {
  readonly now: MemberValues
  readonly isNew: boolean
  readonly isSent: boolean
  readonly theirs: readonly Theirs[]
  readonly change: (change: Partial<Record<PersonField, string>>) => void
}

export function PersonCard({ change, isNew, isSent, now, theirs }: PersonCardProps) {
  const words = useWords()
  const says = words.member.person
  // A sandbox sends no mail.
  const isMailed = useSpace().space.mode === 'live'
  const [firstName = ''] = now.name.trim().split(/\s+/)
  const hint = now.email.trim() === '' ? lateTexts(words).emailNone : says.emailHint
  const mailHint = isNew || firstName === '' ? says.emailNew : hint(firstName)
  const their = (field: PersonField) => {
    const one = theirs.find(other => other.of === 'person' && other.field === field)
    return one?.of === 'person' ? (
      <TheirValue value={one.value} take={() => change({ [field]: one.value })} />
    ) : null
  }
  return (
    <Card title={says.title} {...(!isNew && { isFoldedOnPhones: true })}>
      <Field
        label={says.name}
        value={now.name}
        change={name => change({ name })}
        check={value => (value.trim() === '' ? says.nameMissing : undefined)}
        isSent={isSent}
        input={{
          maxLength: limits.member.name.most,
          autoComplete: 'off',
          autoFocus: isNew,
          required: true,
        }}
      />
      {their('name')}
      <Field
        label={says.email}
        value={now.email}
        change={email => change({ email })}
        check={value => (isEmail(value) ? undefined : says.emailWrong)}
        {...(isMailed && { hint: mailHint })}
        isSent={isSent}
        input={{ type: 'email', maxLength: limits.member.email.most, autoComplete: 'off' }}
      />
      {isNew && <SameMail email={now.email} />}
      {their('email')}
      <TextInput
        label={says.phone}
        description={says.phoneHint}
        type="tel"
        autoComplete="off"
        maxLength={limits.member.phone.most}
        value={now.phone}
        onChange={event => change({ phone: event.currentTarget.value })}
      />
      {their('phone')}
      <NoteField value={now.note} change={note => change({ note })} />
      {their('note')}
    </Card>
  )
}

/** The e-mail address, once nobody types in it any more. */
const settledMs = 400

/** A member who has this address already, with the way there. */
function SameMail({ email }: { readonly email: string }) {
  const says = lateTexts(useWords())
  const { space } = useSpace()
  const sought = useSettled(email, settledMs).trim().toLowerCase()
  const found = useRead(
    'listMemberViews',
    { query: { search: sought, limit: 10 } },
    { isWanted: sought !== '' && isEmail(sought) },
  )
  const same = found.value?.members.find(member => member.email?.toLowerCase() === sought)
  if (!same) return null
  return (
    <p className="their small" role="status">
      {says.sameMail(same.name)}{' '}
      <Link className="link" href={hrefOf(dashboardPaths.member, { spaceId: space.id, memberId: same.id })}>
        {says.openMember}
      </Link>
    </p>
  )
}

function NoteField({ change, value }: { readonly value: string; readonly change: (value: string) => void }) {
  const says = useWords().member.person
  return (
    <div className="person-note">
      <Textarea
        label={says.note}
        rows={3}
        maxLength={limits.member.note.most}
        value={value}
        onChange={event => change(event.currentTarget.value)}
      />
      <span className="person-note-hint small hint">{says.noteHint}</span>
    </div>
  )
}
