// Reports that another person changed the member while this page was open: who, when and what.

import type { Gate } from '@callgate/contract/rest/gate'
import { useEffect, useRef } from 'react'
import { icons } from '../kit/icons.tsx'
import { lateTexts } from './lateTexts.ts'
import type { Change } from './memberDraft.ts'
import { sayUsed } from './memberWords.ts'
import { useReader } from './useMemberReader.ts'
import type { Meanwhile } from './useSavedMember.ts'

export function MeanwhileBanner(props: {
  readonly meanwhile: Meanwhile
  readonly gates: readonly Gate[]
  /** Some typed text is not saved yet. */
  readonly isOpen: boolean
}) {
  const { gates, isOpen, meanwhile } = props
  const reader = useReader()
  const { access, save } = reader.words.member
  const says = lateTexts(reader.words).meanwhile
  const { by, changes } = meanwhile
  const gateName = (gateId: string) => gates.find(({ id }) => id === gateId)?.name ?? access.gone
  const said = (change: Change) =>
    change.of === 'person' ? says.fields[change.field] : says.accesses[change.what](gateName(change.gateId))
  const what = [...new Set(changes.map(said))]
  const who = by.at === undefined ? says.bySomebody : says.by(by.who, sayUsed(by.at, reader))
  const shown = useRef<HTMLDivElement>(null)
  // A person who saves at the foot of the page has to see it.
  useEffect(() => {
    if (meanwhile.changes.length > 0) shown.current?.scrollIntoView({ block: 'center' })
  }, [meanwhile])
  return (
    <div className="banner banner-look" role="alert" ref={shown}>
      <icons.alert size={20} />
      <span>
        {isOpen && <b>{save.failed} </b>}
        {who} {what.length > 0 && `${says.changed} ${what.join(', ')}.`} {isOpen ? says.kept : says.same}
      </span>
    </div>
  )
}
