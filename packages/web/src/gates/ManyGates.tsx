// The gates of a Space with many: those that need somebody as cards, all others as rows, and fields to find one.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { Gate } from '@callgate/contract/rest/gate'
import { callerOf } from '@callgate/contract/rest/gateHealth'
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { OpeningRing } from '../kit/OpeningRing.tsx'
import { sayNumber } from '../words/number.ts'
import { needsLook } from './claims.ts'
import { GateBadge } from './GateBadge.tsx'
import { type GateProps, useGate, useSwitchOn } from './GateCard.tsx'
import { GateCards, hasText, type ReadGates } from './GateCards.tsx'
import { badgeOf } from './gateState.ts'
import type { Reader } from './gateWords.ts'
import { manyGatesTexts } from './manyGatesTexts.ts'
import { OpenButton } from './OpenButton.tsx'
import './ManyGates.css'

/** More cards than this would be the wall of cards again: the others are the first rows. */
const mostToLookAt = 6
/** What is shown until somebody asks for more. */
const rowsAtFirst = 20

function SwitchOn({ gateId, words }: { readonly gateId: string; readonly words: Reader['words'] }) {
  const { isBusy, switchOn } = useSwitchOn(gateId)
  return (
    <Button isWide onClick={switchOn} busy={isBusy ? words.gates.switchingOn : undefined}>
      {words.gates.switchOn}
    </Button>
  )
}

function GateRow(props: GateProps) {
  const { gate, reader } = props
  const { words } = reader
  const { badge, href, look, press, says, send, unable } = useGate(props)
  const [headline, below] = says
  return (
    <li className={gate.isActive ? 'gate-row' : 'gate-row gate-row-off'}>
      <OpeningRing look={look} size={28} />
      <div className="gate-row-names">
        <h3>
          <Link href={href}>{gate.name}</Link>
        </h3>
        <p className="small quiet">{gate.location || sayNumber(gate.phoneNumber)}</p>
      </div>
      <div className="gate-row-last">
        <p>{headline}</p>
        <p className="small quiet">{below}</p>
      </div>
      <span className={badge.tone === 'open' ? 'gate-row-badge gate-row-well' : 'gate-row-badge'}>
        <GateBadge badge={badge} />
      </span>
      <div className="gate-row-do">
        {gate.isActive ? (
          <OpenButton gate={gate.name} press={press} send={send} unable={unable} place="row" />
        ) : (
          <SwitchOn gateId={gate.id} words={words} />
        )}
      </div>
    </li>
  )
}

/** The words of the badges, the most frequent first, each with the number of its gates. */
function statesOf(words: readonly string[]): readonly (readonly [state: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

interface Search {
  readonly text: string
  /** The word of a badge; empty: all. */
  readonly state: string
}

function Find(props: {
  readonly search: Search
  readonly states: ReturnType<typeof statesOf>
  readonly change: (search: Search) => void
  readonly words: Reader['words']
}) {
  const { change, search, states, words } = props
  const says = manyGatesTexts(words)
  const isGone = search.state !== '' && !states.some(([state]) => state === search.state)
  const offered = isGone ? [...states, [search.state, 0] as const] : states
  return (
    <div className="gates-find">
      <TextInput
        type="search"
        aria-label={words.gates.find}
        placeholder={words.gates.find}
        leftSection={<icons.find size={18} />}
        value={search.text}
        onChange={event => change({ ...search, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={says.state}
        value={search.state}
        onChange={event => change({ ...search, state: event.currentTarget.value })}
        data={[
          { value: '', label: says.anyState },
          ...offered.map(([state, count]) => ({ value: state, label: says.countOf(state, count) })),
        ]}
      />
    </div>
  )
}

/** The gates that need somebody when the page comes. One that does later stays in its row, so that nothing jumps. */
function useToLookAt(gates: readonly Gate[], figuresOf: (gate: Gate) => GateFigures | undefined) {
  const [ids] = useState(() =>
    gates
      .filter(gate => {
        const figures = figuresOf(gate)
        return gate.isActive && figures !== undefined && needsLook(figures)
      })
      .map(({ id }) => id),
  )
  const found = gates.filter(({ id }) => ids.includes(id))
  const cards = found.slice(0, mostToLookAt)
  const others = gates.filter(({ id }) => !ids.includes(id))
  return { cards: cards.map(({ id }) => id), inOrder: [...found, ...others] }
}

/** `gates`: all, in the order of the page. */
export function ManyGates(props: {
  readonly gates: readonly Gate[]
  readonly read: ReadGates
  readonly reader: Reader
}) {
  const { gates, read, reader } = props
  const { words } = reader
  const says = manyGatesTexts(words)
  const [search, setSearch] = useState<Search>({ text: '', state: '' })
  const [isWhole, setWhole] = useState(false)
  const figuresOf = (gate: Gate) => read.figures.find(({ gateId }) => gateId === gate.id)
  const { cards, inOrder } = useToLookAt(gates, figuresOf)
  const caller = callerOf(read.gateways)
  const stateOf = (gate: Gate) => badgeOf(gate, figuresOf(gate), { caller, words }).word
  const fits = (gate: Gate) =>
    hasText(gate, search.text) && (search.state === '' || stateOf(gate) === search.state)
  const found = inOrder.filter(fits)
  const first = found.filter(({ id }) => cards.includes(id))
  const rows = found.filter(({ id }) => !cards.includes(id))
  const shown = isWhole ? rows : rows.slice(0, rowsAtFirst)
  return (
    <>
      <Find search={search} states={statesOf(gates.map(stateOf))} change={setSearch} words={words} />
      {found.length === 0 && <p className="quiet">{says.noneFound}</p>}
      {first.length > 0 && (
        <>
          <h2 className="gates-part">{says.first}</h2>
          <GateCards gates={first} read={read} reader={reader} />
          {rows.length > 0 && <h2 className="gates-part">{says.others}</h2>}
        </>
      )}
      {rows.length > 0 && (
        <ul className="card gate-rows">
          {shown.map(gate => (
            <GateRow
              key={gate.id}
              gate={gate}
              figures={figuresOf(gate)}
              gateways={read.gateways}
              reader={reader}
            />
          ))}
        </ul>
      )}
      {rows.length > shown.length && (
        <p className="gates-more">
          <Button onClick={() => setWhole(true)}>{says.showAll(rows.length)}</Button>
        </p>
      )}
    </>
  )
}
