// The list of the members: which gates each may open now, until when, and the remaining uses.

import { appRoutes } from '@callgate/contract/app/appRoutes'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useConfirmedExport } from '../confirm/ConfirmedExport.tsx'
import { Button, ButtonLink, IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Page } from '../kit/Page.tsx'
import { useIsPhone } from '../kit/phone.ts'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { ChoiceBar } from './ChoiceBar.tsx'
import { useChosen } from './chosenMembers.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { lateTexts } from './lateTexts.ts'
import { MemberFilters } from './MemberFilters.tsx'
import { MemberTable } from './MemberTable.tsx'
import { type MemberSearch, useMemberSearch } from './useMemberSearch.ts'
import { VisitorDialog } from './VisitorDialog.tsx'
import './members.css'

/** The number of members on one page. */
const perPage = 25
const readEveryMs = 15_000

function Pages(props: {
  readonly place: number
  readonly shown: number
  readonly total: number | undefined
  readonly back: (() => void) | undefined
  readonly on: (() => void) | undefined
}) {
  const says = useWords().members
  const from = props.place * perPage + 1
  const to = from + props.shown - 1
  return (
    <div className="member-pages">
      <p className="small quiet">
        {props.total === undefined ? says.pageOpen(from, to) : says.page(from, to, props.total)}
      </p>
      {(props.back ?? props.on) && (
        <>
          <IconButton label={says.previous} disabled={!props.back} onClick={props.back}>
            <icons.previous />
          </IconButton>
          <IconButton label={says.following} disabled={!props.on} onClick={props.on}>
            <icons.next />
          </IconButton>
        </>
      )}
    </div>
  )
}

/** The cursors of the pages up to the shown one. Another search begins with its first page. */
function useCursors({ gateId, state, text }: MemberSearch) {
  const sought = JSON.stringify([text, gateId, state])
  const [kept, setKept] = useState<{ sought: string; cursors: readonly string[] }>({ sought, cursors: [''] })
  const cursors = kept.sought === sought ? kept.cursors : ['']
  return { cursors, setCursors: (now: readonly string[]) => setKept({ sought, cursors: now }) }
}

/** One page after the other. The last result stays until that of the next search arrives. */
function Found({
  isChoosing,
  search,
  total,
  showAll,
}: {
  readonly isChoosing: boolean
  readonly search: MemberSearch
  readonly total: number | undefined
  readonly showAll: () => void
}) {
  const says = useWords().members
  const { cursors, setCursors } = useCursors(search)
  const { gateId, state, text } = search
  const chosen = useChosen()
  const list = useRead(
    'listMemberViews',
    {
      query: {
        limit: perPage,
        cursor: cursors.at(-1),
        state,
        ...(text !== '' && { search: text }),
        ...(gateId !== '' && { gateId }),
      },
    },
    { everyMs: readEveryMs, keepsLast: true },
  )
  const gates = useRead('listGates', {})
  const failed = [list, gates].find(({ failure, value }) => failure && !value)
  if (failed) return <NotRead what={says.what} of={failed} />
  if (!list.value || !gates.value) return <Skeleton bars={[44, 64, 65, 66, 67]} />
  const { members, pagination } = list.value
  const { nextCursor } = pagination
  return (
    <>
      {members.length === 0 ? (
        <Empty title={says.noneFound} action={<Button onClick={showAll}>{says.showAll}</Button>}>
          {says.noneFoundWhy}
        </Empty>
      ) : (
        <>
          <MemberTable members={members} gates={gates.value.gates} chosen={chosen} hasBoxes={isChoosing} />
          <Pages
            place={cursors.length - 1}
            shown={members.length}
            total={total}
            back={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : undefined}
            on={nextCursor === null ? undefined : () => setCursors([...cursors, nextCursor])}
          />
        </>
      )}
      <ChoiceBar chosen={chosen} shown={members} />
    </>
  )
}

/** Whether there is a gate that a visitor's link could open. */
function useHasGate(): boolean {
  const gates = useRead('listGates', {})
  return gates.value?.gates.some(({ isActive }) => isActive) ?? false
}

/** The file of the members, and on a phone, which has room for one button and no boxes, a visitor's link and the boxes. */
function MoreActions({
  choose,
  hasVisitor,
  show,
}: {
  /** Shows the boxes; absent: they are there. */
  readonly choose: (() => void) | undefined
  readonly hasVisitor: boolean
  readonly show: Show
}) {
  const words = useWords()
  const says = lateTexts(words).import
  const { space } = useSpace()
  const { save, shown } = useConfirmedExport(hrefOf(appRoutes.exportMembers.path, { spaceId: space.id }))
  return (
    <span className="members-more">
      <Menu position="bottom-end" width={232}>
        <Menu.Target>
          <IconButton label={says.more}>
            <icons.dots />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {hasVisitor && (
            <Menu.Item leftSection={<icons.link size={18} />} onClick={() => show('visitor')}>
              {words.members.visitor}
            </Menu.Item>
          )}
          {choose && (
            <Menu.Item leftSection={<icons.check size={18} />} onClick={choose}>
              {lateTexts(words).edit.several}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<icons.import size={18} />} onClick={() => show('import')}>
            {says.open}
          </Menu.Item>
          <Menu.Item leftSection={<icons.export size={18} />} onClick={save}>
            {says.export}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {shown}
    </span>
  )
}

/** A visitor's link and a new member. */
function Adding({ hasVisitor, show }: { readonly hasVisitor: boolean; readonly show: Show }) {
  const says = useWords().members
  const { space } = useSpace()
  return (
    <>
      {hasVisitor && (
        <Button icon={<icons.link size={20} />} onClick={() => show('visitor')}>
          {says.visitor}
        </Button>
      )}
      <ButtonLink
        look="filled"
        icon={<icons.add size={20} />}
        href={hrefOf(dashboardPaths.newMember, { spaceId: space.id })}
      >
        {says.add}
      </ButtonLink>
    </>
  )
}

function HeadActions({
  choose,
  isNobody,
  show,
}: {
  readonly choose: (() => void) | undefined
  readonly isNobody: boolean
  readonly show: Show
}) {
  const says = lateTexts(useWords()).import
  const hasGate = useHasGate()
  const isPhone = useIsPhone()
  if (isNobody)
    return (
      <Button icon={<icons.import size={20} />} onClick={() => show('import')}>
        {says.open}
      </Button>
    )
  return (
    <>
      <Adding hasVisitor={hasGate && !isPhone} show={show} />
      <MoreActions choose={choose} hasVisitor={hasGate && isPhone} show={show} />
    </>
  )
}

type Show = (dialog: 'import' | 'visitor') => void

export function MembersPage() {
  const words = useWords()
  const says = words.members
  const hasGate = useHasGate()
  const search = useMemberSearch()
  // Another key clears the search field.
  const [cleared, setCleared] = useState(0)
  const counts = useRead('getMemberCounts', {}, { everyMs: readEveryMs })
  const count = counts.value
  const isNobody = count?.active === 0 && count.inactive === 0
  const [shown, show] = useState<'import' | 'visitor'>()
  const close = () => show(undefined)
  const [wasAsked, setAsked] = useState(false)
  const isPhone = useIsPhone()
  const isChoosing = wasAsked || !isPhone
  const isNarrowed = search.text !== '' || search.gateId !== ''
  return (
    <Page
      title={words.frame.pages.members}
      says={count && (isNobody ? says.none : says.state(count.current, count.allowed_now))}
      actions={
        <HeadActions choose={isChoosing ? undefined : () => setAsked(true)} isNobody={isNobody} show={show} />
      }
    >
      {isNobody ? (
        <Empty
          title={says.noneTitle}
          action={
            <div className="empty-actions">
              <Adding hasVisitor={hasGate} show={show} />
            </div>
          }
        >
          {says.noneWhy}
        </Empty>
      ) : (
        <>
          <MemberFilters key={cleared} search={search} counts={count} />
          <Found
            isChoosing={isChoosing}
            search={search}
            total={isNarrowed ? undefined : count?.[search.state]}
            showAll={() => {
              search.change({ text: '', gateId: '', state: 'active' })
              setCleared(cleared + 1)
            }}
          />
        </>
      )}
      {shown === 'import' && <ImportDialog close={close} />}
      {shown === 'visitor' && <VisitorDialog close={close} />}
    </Page>
  )
}
