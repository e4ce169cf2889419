// The page of the gates: the gateways, then a card for each gate.

import { TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { AlertsOnTop, useIncidents } from '../alerts/OpenAlerts.tsx'
import { pinnedFirst, readPins } from '../client/pins.ts'
import { useRead, useTogether } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Page } from '../kit/Page.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { claimsOf, isSaidOnGates, sayGates } from './claims.ts'
import { FirstStepsNote } from './FirstStepsNote.tsx'
import { useFirstSteps } from './firstSteps.ts'
import { GateCards, hasText, type ReadGates } from './GateCards.tsx'
import { GatewayStrip } from './GatewayStrip.tsx'
import type { Reader } from './gateWords.ts'
import { LateGateForm } from './LateGateForm.tsx'
import { readEveryMs, useReader } from './useGateReader.ts'
import './gates.css'

/** Loaded only for a Space without gates. */
const EmptyGates = lazy(async () => ({ default: (await import('./EmptyGates.tsx')).EmptyGates }))
/** Loaded only for a Space with many gates. */
const ManyGates = lazy(async () => ({ default: (await import('./ManyGates.tsx')).ManyGates }))
const LockDownDialog = lazy(async () => ({
  default: (await import('../lockDown/LockDownDialog.tsx')).LockDownDialog,
}))

/** Up to so many are found on a phone without searching. */
const fewGates = 6
/** More than so many are rows, with fields of their own to find one. */
const mostCards = 12

function Gates({
  read,
  reader,
  text,
}: {
  readonly read: ReadGates
  readonly reader: Reader
  readonly text: string
}) {
  const { space } = useSpace()
  const gates = pinnedFirst(read.gates, readPins(space.id))
  const shown = gates.filter(gate => hasText(gate, text))
  return (
    <>
      <FirstStepsNote />
      <AlertsOnTop fits={incident => !isSaidOnGates(incident, read)} reader={reader} />
      <GatewayStrip gateways={read.gateways ?? []} reader={reader} />
      {gates.length > mostCards ? (
        <Suspense fallback={<Skeleton bars={cardBars} />}>
          <ManyGates gates={gates} read={read} reader={reader} />
        </Suspense>
      ) : (
        <>
          {shown.length === 0 && <p className="quiet">{reader.words.gates.noneFound}</p>}
          <GateCards gates={shown} read={read} reader={reader} />
        </>
      )}
    </>
  )
}

/** The button that locks all gates, with its question; nothing while they are locked. */
function LockAll({ says }: { readonly says: Reader['words']['gates'] }) {
  const { space } = useSpace()
  const [isAsking, setAsking] = useState(false)
  if (space.lockDown) return null
  return (
    <>
      <span className="gate-lock">
        <Button icon={<icons.lock size={20} />} aria-label={says.lock} onClick={() => setAsking(true)}>
          {says.lockShort}
        </Button>
      </span>
      {isAsking && (
        <Suspense>
          <LockDownDialog close={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

function Actions(props: {
  readonly gates: number
  readonly text: string
  readonly find: (text: string) => void
  readonly add: () => void
  readonly says: Reader['words']['gates']
}) {
  const { add, find, gates, says, text } = props
  return (
    <>
      {gates > 1 && gates <= mostCards && (
        <TextInput
          className={gates > fewGates ? 'gate-find gate-find-many' : 'gate-find'}
          type="search"
          aria-label={says.find}
          placeholder={says.find}
          leftSection={<icons.find size={18} />}
          value={text}
          onChange={event => find(event.currentTarget.value)}
        />
      )}
      <LockAll says={says} />
      <span className="gate-add icon-on-phones">
        <Button icon={<icons.add size={20} />} onClick={add}>
          {says.add}
        </Button>
      </span>
    </>
  )
}

/** On a phone only what needs somebody, where something does: the cards say the rest. */
function Says({ read, words }: { readonly read: ReadGates; readonly words: Reader['words'] }) {
  const [urgent, usual] = sayGates(claimsOf(read), words)
  return (
    <>
      {urgent} <span className={urgent && 'gates-usual'}>{usual}</span>
    </>
  )
}

/** The heights of what arrives, on a desk and on a phone: the gateways, and three cards. */
const cardBars = [[54, 104], ...Array<[number, number]>(3).fill([304, 210])] as const

/** The gates of the Space. They stay where figures or gateways cannot be read: those parts are left out. */
export function GatesPage() {
  const reader = useReader()
  const { words } = reader
  const gates = useRead('listGates', {}, { everyMs: readEveryMs })
  const figures = useRead('listGateFigures', {}, { everyMs: readEveryMs })
  const gateways = useRead('listGateways', {}, { everyMs: readEveryMs })
  const steps = useFirstSteps()
  const isTogether = useTogether(useIncidents(), { value: steps.happened, failure: steps.failed?.failure })
  const [text, setText] = useState('')
  const [isAdding, setAdding] = useState(false)
  const isSettled = [figures, gateways].every(({ failure, value }) => value || failure)
  const read: ReadGates | undefined =
    gates.value && isSettled && isTogether
      ? {
          gates: gates.value.gates,
          figures: figures.value?.figures ?? [],
          gateways: gateways.value?.gateways,
        }
      : undefined
  const isEmpty = read?.gates.length === 0
  const failed = [gates, figures, gateways].find(({ failure, value }) => failure && !value)
  const title = words.frame.pages.gates
  return (
    <Page
      title={title}
      says={isEmpty ? words.gates.none : read && <Says read={read} words={words} />}
      actions={
        read && !isEmpty ? (
          <Actions
            gates={read.gates.length}
            text={text}
            find={setText}
            add={() => setAdding(true)}
            says={words.gates}
          />
        ) : (
          // Its place is there before it is known whether there are gates.
          <span className="gate-add" />
        )
      }
    >
      {failed && <NotRead what={title} of={failed} />}
      {read &&
        (isEmpty ? (
          <Suspense fallback={<Skeleton bars={[380, 140]} />}>
            <EmptyGates add={() => setAdding(true)} />
          </Suspense>
        ) : (
          <Gates read={read} reader={reader} text={text} />
        ))}
      {!read && !failed && <Skeleton bars={cardBars} />}
      {isAdding && <LateGateForm close={() => setAdding(false)} />}
    </Page>
  )
}
