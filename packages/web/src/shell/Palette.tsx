// The palette: one field that finds gates, members and pages, as a combobox with a list (ARIA Authoring Practices).

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Modal } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { pinnedFirst, readPins } from '../client/pins.ts'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSettled } from '../clock.ts'
import { useFocusBack } from '../kit/Dialog.tsx'
import { useWords } from '../words/words.tsx'
import { hrefOf } from './navigation.ts'
import { fits, type Item, pageItems, placeAfter } from './paletteItems.ts'
import { paletteTexts } from './paletteTexts.ts'
import './palette.css'

/** How many of each group are shown. */
const mostOfGroup = 6
/** The members are asked for once nothing was typed for so long. Milliseconds. */
const settledMs = 200

interface Group {
  readonly name: string
  readonly items: readonly Item[]
}

/** What is found for a text. Members are asked for from the first letter on. */
function useFound(text: string): { readonly groups: readonly Group[]; readonly hasFailed: boolean } {
  const words = useWords()
  const says = paletteTexts(words)
  const { space } = useSpace()
  const spaceId = space.id
  const search = useSettled(text.trim(), settledMs)
  const gates = useRead('listGates', {})
  const members = useRead(
    'listMemberViews',
    { query: { limit: mostOfGroup, state: 'active', search } },
    { isWanted: search !== '', keepsLast: true },
  )
  const gateItems = pinnedFirst(gates.value?.gates ?? [], readPins(spaceId)).map(
    ({ id, location, name }) => ({
      name,
      more: location,
      href: hrefOf(dashboardPaths.gate, { spaceId, gateId: id }),
    }),
  )
  const memberItems = (text.trim() === '' ? [] : (members.value?.members ?? [])).map(
    ({ email, id, name }) => ({
      name,
      more: email ?? '',
      href: hrefOf(dashboardPaths.member, { spaceId, memberId: id }),
    }),
  )
  const fitting = (items: readonly Item[]) =>
    items.filter(item => fits(item, text.trim())).slice(0, mostOfGroup)
  const pages = pageItems(space, words)
  return {
    groups: [
      { name: says.gates, items: fitting(gateItems) },
      { name: says.members, items: memberItems },
      { name: says.pages, items: text.trim() === '' ? pages : fitting(pages) },
    ].filter(({ items }) => items.length > 0),
    hasFailed: members.failure !== undefined,
  }
}

function Options(props: {
  readonly groups: readonly Group[]
  readonly id: string
  readonly chosen: Item | undefined
  readonly go: (item: Item) => void
}) {
  const { chosen, go, groups, id } = props
  return (
    <div className="palette-list" role="listbox" id={id} aria-label={paletteTexts(useWords()).title}>
      {groups.map(({ items, name }) => (
        <div key={name}>
          <p className="palette-group small quiet" aria-hidden="true">
            {name}
          </p>
          {items.map(item => (
            <div
              key={item.href}
              className="palette-option"
              role="option"
              tabIndex={-1}
              id={`${id}-${item.href}`}
              aria-selected={item === chosen}
              // The field keeps the focus.
              onMouseDown={event => event.preventDefault()}
              onClick={() => go(item)}
              onKeyDown={event => event.key === 'Enter' && go(item)}
            >
              <span>{item.name}</span>
              {item.more && <span className="small quiet">{item.more}</span>}
              <span className="heard">{name}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

export function Palette({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = paletteTexts(words)
  const id = useId()
  const [, goTo] = useLocation()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const { groups, hasFailed } = useFound(text)
  const items = groups.flatMap(group => group.items)
  const chosen = items[Math.min(place, items.length - 1)]
  useFocusBack()
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.href}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen, id])
  function go({ href }: Item) {
    close()
    goTo(href)
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && chosen) go(chosen)
    const next = placeAfter(event.key, Math.min(place, items.length - 1), items.length)
    if (next === undefined) return
    event.preventDefault()
    setPlace(next)
  }
  return (
    <Modal
      opened
      onClose={close}
      title={says.title}
      closeButtonProps={{ 'aria-label': words.frame.close }}
      // The field stays where it is, however much is found.
      centered={false}
      yOffset="min(96px, 8dvh)"
    >
      <input
        className="palette-field"
        type="text"
        role="combobox"
        aria-label={says.hint}
        placeholder={says.hint}
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${chosen.href}`}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={onKey}
      />
      <Options groups={groups} id={id} chosen={chosen} go={go} />
      {hasFailed && <p className="small quiet">{says.membersUnread}</p>}
      <p role="status" className={items.length === 0 ? 'quiet' : 'heard'}>
        {items.length === 0 ? says.none : says.found(items.length)}
      </p>
    </Modal>
  )
}
