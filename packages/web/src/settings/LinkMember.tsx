// Choosing the member who is the same person as a user, and also opens gates by a link.

import type { SpaceUser } from '@callgate/contract/app/user'
import { limits } from '@callgate/contract/limits'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSettled } from '../clock.ts'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { failureWords } from './userFields.ts'
import { userTexts } from './userTexts.ts'

/** The number of offered members; others are found by name. */
const offered = 8
const settlesAfterMs = 250

export function LinkMember({
  close,
  ifMatch,
  user,
}: {
  readonly user: SpaceUser
  readonly ifMatch: string | undefined
  readonly close: () => void
}) {
  const words = useWords()
  const { members: memberWords } = words
  const users = userTexts(words)
  const says = users.link
  const update = useChange('updateUser')
  const [chosen, setChosen] = useState(user.member?.id ?? null)
  const [text, setText] = useState('')
  const search = useSettled(text.trim(), settlesAfterMs)
  const read = useRead(
    'listMemberViews',
    { query: { limit: offered, state: 'active', ...(search !== '' && { search }) } },
    { keepsLast: true },
  )
  const found = (read.value?.members ?? []).map(({ id, name }) => ({ id, name }))
  const isListed = user.member === null || found.some(({ id }) => id === user.member?.id)
  const members = isListed || user.member === null ? found : [user.member, ...found]
  const choice = (id: string | null, name: string) => (
    <label key={id}>
      <input type="radio" name="member" checked={chosen === id} onChange={() => setChosen(id)} />
      {name}
    </label>
  )
  return (
    <AskDialog
      title={says.title(user.name)}
      does={says.does}
      doing={says.doing}
      means={[]}
      sayFailure={failureWords(words, says.taken)}
      go={() => update({ params: { userId: user.id }, body: { memberId: chosen }, ifMatch })}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      <TextInput
        type="search"
        aria-label={says.find}
        placeholder={says.find}
        maxLength={limits.search.text.most}
        leftSection={<icons.find size={18} />}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {read.failure && <NotRead what={memberWords.what} of={read} />}
      <fieldset className="group user-members">
        <legend className="heard">{says.members}</legend>
        {choice(null, says.nobody)}
        {members.map(({ id, name }) => choice(id, name))}
      </fieldset>
      {read.value && found.length === 0 && search !== '' && <p className="small quiet">{says.noneFound}</p>}
    </AskDialog>
  )
}
