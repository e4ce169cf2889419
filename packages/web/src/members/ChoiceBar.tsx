// The bar of the chosen members: how many, and what can be done to all of them.

import { type MemberAct, memberActs } from '@callgate/contract/app/memberActs'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { Button, IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useOffline } from '../kit/states.tsx'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import type { Chosen, Named } from './chosenMembers.ts'
import { EditDialog } from './EditDialog.tsx'
import { lateTexts } from './lateTexts.ts'
import '../kit/SaveBar.css'

/** `shown`: the members of the page of the list. */
export function ChoiceBar({ chosen, shown }: { readonly chosen: Chosen; readonly shown: readonly Named[] }) {
  const words = useWords()
  const says = lateTexts(words).edit
  const [act, setAct] = useState<MemberAct>()
  const isOffline = useOffline() !== undefined
  const { addAll, clear, has, isFull, members } = chosen
  if (members.length === 0) return null
  const hasMore = !isFull && shown.some(({ id }) => !has(id))
  return (
    <section className="save-bar choice-bar" aria-label={says.bar}>
      <p className="save-bar-says" role="status">
        {isOffline ? says.offline : says.chosen(count(members.length, words.locale))}
        {isFull && ` ${says.full}`}
      </p>
      {hasMore && (
        <Button look="quiet" onClick={() => addAll(shown)}>
          {says.all}
        </Button>
      )}
      <Menu position="top-end">
        <Menu.Target>
          <Button look="filled" disabled={isOffline} icon={<icons.edit size={18} />}>
            {says.change}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {memberActs.map(one => (
            <Menu.Item key={one} onClick={() => setAct(one)}>
              {says.acts[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <IconButton label={says.clear} onClick={clear}>
        <icons.cross />
      </IconButton>
      {act && <EditDialog act={act} members={members} close={() => setAct(undefined)} done={clear} />}
    </section>
  )
}
