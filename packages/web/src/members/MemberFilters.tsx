// The search and the filters above the list of members.

import type { MemberCounts } from '@callgate/contract/app/appMember'
import { limits } from '@callgate/contract/limits'
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { useSettled } from '../clock.ts'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { icons } from '../kit/icons.tsx'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { type MemberState, memberStates } from './memberStates.ts'
import type { MemberSearch } from './useMemberSearch.ts'

/** Typing counts as finished after this time, in milliseconds. */
const settlesAfterMs = 250

function Search({ search }: { readonly search: MemberSearch }) {
  const says = useWords().members
  const [text, setText] = useState(search.text)
  const settled = useSettled(text, settlesAfterMs)
  const { change } = search
  useEffect(() => {
    if (settled.trim() !== search.text) change({ text: settled.trim() })
  }, [settled, search.text, change])
  return (
    <TextInput
      className="member-find"
      type="search"
      aria-label={says.find}
      placeholder={says.find}
      maxLength={limits.search.text.most}
      leftSection={<icons.find size={18} />}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
    />
  )
}

interface FilterProps {
  readonly search: MemberSearch
  readonly counts: MemberCounts | undefined
}

/** Which members, and of which gate. */
function Choices({ counts, search }: FilterProps) {
  const words = useWords()
  const says = words.members
  const gates = useRead('listGates', {})
  // "All" differs from "Current" by those whose access has ended.
  const more = { inactive: counts?.inactive, active: counts?.ended } as const
  const offered = memberStates.filter(
    state => state === search.state || (state !== 'inactive' && state !== 'active') || (more[state] ?? 0) > 0,
  )
  return (
    <>
      <SegmentedControl
        withItemsBorders={false}
        aria-label={says.filter}
        value={search.state}
        onChange={state => search.change({ state: state as MemberState })}
        data={offered.map(state => ({
          value: state,
          label: (
            <>
              {says.states[state]}
              {counts && <span className="member-count"> {count(counts[state], words.locale)}</span>}
            </>
          ),
        }))}
      />
      <NativeSelect
        aria-label={says.gate}
        value={search.gateId}
        onChange={event => search.change({ gateId: event.currentTarget.value })}
        data={[
          { value: '', label: says.allGates },
          ...(gates.value?.gates ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </>
  )
}

/** On a phone the choices are behind a button, which says what is chosen. */
function FilterButton(props: FilterProps) {
  const words = useWords()
  const { filter, states } = words.members
  const says = lateTexts(words).filters
  const { gateId, state } = props.search
  const [isOpen, setOpen] = useState(false)
  const isChosen = state !== 'current' || gateId !== ''
  return (
    <>
      <Button look={isChosen ? 'filled' : 'outlined'} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {isChosen ? says.chosen(states[state]) : says.open}
      </Button>
      {isOpen && (
        <Dialog title={filter} does={says.show} isDone close={() => setOpen(false)} go={() => setOpen(false)}>
          <div className="member-filters">
            <Choices {...props} />
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The style shows the choices, or on a phone their button. */
export function MemberFilters(props: FilterProps) {
  return (
    <div className="member-filters">
      <Search search={props.search} />
      <Choices {...props} />
      <FilterButton {...props} />
    </div>
  )
}
