// The table of the members: a row for each; on a phone a card.

import type { MemberView } from '@callgate/contract/app/appMember'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { Checkbox } from '@mantine/core'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { Badge } from '../kit/Badge.tsx'
import { CardTable } from '../kit/CardTable.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { Initials } from '../kit/Initials.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayNumber } from '../words/number.ts'
import { useWords } from '../words/words.tsx'
import type { Chosen } from './chosenMembers.ts'
import { lateTexts } from './lateTexts.ts'
import { badgeOf, type Reader, sayUsed, sayWhen, scarcest } from './memberWords.ts'
import { useAccessReader } from './useAccessClock.ts'
import { useReader } from './useMemberReader.ts'

function sayGates({ accesses }: MemberView, gates: readonly Gate[], { words }: Reader): string {
  const says = words.members
  const [first, ...others] = accesses
  if (!first) return says.noGate
  if (others.length === 0)
    return gates.find(({ id }) => id === first.gateId)?.name ?? words.member.access.gone
  const active = gates.filter(({ isActive }) => isActive).length
  return accesses.length === active ? says.allOf(active) : says.gates(accesses.length)
}

/** A time is not taken apart after its dash. */
const unbroken = (hours: string) => hours.replaceAll('–', '–\u2060')

function When({ member, reader }: { readonly member: MemberView; readonly reader: Reader }) {
  const says = reader.words.members
  const when = sayWhen(member, reader)
  if (!when) return null
  return (
    <>
      <span>{unbroken(when.hours)}</span>
      {when.more > 0 && (
        <>
          {' '}
          <span className="member-more" aria-hidden="true">
            {says.more(when.more)}
          </span>
          <span className="heard">{says.moreHeard(when.more)}</span>
        </>
      )}
      {when.below !== '' && <span className="small quiet member-below">{when.below}</span>}
    </>
  )
}

function Uses({ member }: { readonly member: MemberView }) {
  const says = useWords().members
  const uses = scarcest(member)
  if (!uses) return <span className="quiet">{says.noCap}</span>
  return (
    <span className="member-uses">
      <span className="member-meter" aria-hidden="true">
        <span style={{ width: `${(uses.left / uses.of) * 100}%` }} />
      </span>
      {says.left(uses.left, uses.of)}
    </span>
  )
}

function Row(props: {
  readonly member: MemberView
  readonly gates: readonly Gate[]
  readonly reader: Reader
  /** By the clock that decides on accesses. */
  readonly accessReader: Reader
  readonly chosen: Chosen
  readonly hasBox: boolean
}) {
  const { accessReader, chosen, gates, hasBox, member, reader } = props
  const says = reader.words.members
  const { space } = useSpace()
  const isOver = !member.isActive || member.now.standing === 'ended'
  const [note] = (member.note ?? sayNumber(member.phone ?? '')).split('\n')
  return (
    <tr className={isOver ? 'row-over' : ''}>
      <th scope="row">
        <span className="member-name">
          {hasBox && (
            <Checkbox
              className="member-choice"
              label={<span className="heard">{lateTexts(reader.words).edit.choose(member.name)}</span>}
              checked={chosen.has(member.id)}
              disabled={chosen.isFull && !chosen.has(member.id)}
              onChange={() => chosen.toggle(member)}
            />
          )}
          <Initials name={member.name} />
          <span>
            <Link href={hrefOf(dashboardPaths.member, { spaceId: space.id, memberId: member.id })}>
              {member.name}
            </Link>
            <span className="small quiet member-below">{note}</span>
          </span>
        </span>
      </th>
      <td className="member-gates">{sayGates(member, gates, reader)}</td>
      <td>
        <Badge {...badgeOf(member, accessReader)} />
      </td>
      <td className="member-when">
        <When member={member} reader={accessReader} />
      </td>
      <td className="member-left">
        {scarcest(member) && <span className="row-label">{says.table.uses}: </span>}
        <Uses member={member} />
      </td>
      <td className={member.now.lastUsedAt === null ? 'member-last member-unused' : 'member-last'}>
        <span className="row-label">{says.table.last}: </span>
        <span className="capital">{sayUsed(member.now.lastUsedAt, reader)}</span>
      </td>
      <td className="row-button member-copy">
        {member.now.link !== null && (
          <CopyButton label={says.copyLink(member.name)} text={member.now.link} isIcon />
        )}
      </td>
    </tr>
  )
}

export function MemberTable({
  chosen,
  gates,
  hasBoxes,
  members,
}: {
  readonly members: readonly MemberView[]
  readonly gates: readonly Gate[]
  readonly chosen: Chosen
  /** To choose several. */
  readonly hasBoxes: boolean
}) {
  const reader = useReader()
  const accessReader = useAccessReader()
  const { table } = reader.words.members
  return (
    <CardTable
      className="member-table"
      heads={[table.member, table.gates, table.now, table.when, table.uses, table.last]}
    >
      {members.map(member => (
        <Row
          key={member.id}
          member={member}
          gates={gates}
          reader={reader}
          accessReader={accessReader}
          chosen={chosen}
          hasBox={hasBoxes}
        />
      ))}
    </CardTable>
  )
}
