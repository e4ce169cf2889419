// The page of the gates: the gateways, then a card for each gate.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { AlertsOnTop, useIncidents } from '../alerts/OpenAlerts.tsx'
import { pinnedFirst, usePins } from '../client/pins.ts'
import { useRead, useTogether } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Page } from '../kit/Page.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { claimsOf, isSaidOnGates, sayGates } from './claims.ts'
import { FirstStepsNote } from './FirstStepsNote.tsx'
import { useFirstSteps } from './firstSteps.ts'
import { GateCard } from './GateCard.tsx'
import { GatewayStrip } from './GatewayStrip.tsx'
import type { Reader } from './gateWords.ts'
import { LateGateForm } from './LateGateForm.tsx'
import { readEveryMs, useReader } from './useGateReader.ts'
import './gates.css'

/** Loaded only for a Space without gates. */
const EmptyGates = lazy(async () => ({ default: (await import('./EmptyGates.tsx')).EmptyGates }))
const LockDownDialog = lazy(async () => ({
  default: (await import('../lockDown/LockDownDialog.tsx')).LockDownDialog,
}))

interface Read {
  readonly gates: readonly Gate[]
  readonly figures: readonly GateFigures[]
  /** Undefined where they could not be read. */
  readonly gateways: readonly GatewayView[] | undefined
}

/** Up to so many are found on a phone without searching. */
const fewGates = 6

const hasText = (gate: Gate, text: string) =>
  `${gate.name} ${gate.location}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())

function Cards({
  read,
  reader,
  text,
}: {
  readonly read: Read
  readonly reader: Reader
  readonly text: string
}) {
  const { space } = useSpace()
  const pins = usePins(space.id)
  const shown = pinnedFirst(read.gates, pins.pins).filter(gate => hasText(gate, text))
  return (
    <>
      <FirstStepsNote />
      <AlertsOnTop fits={incident => !isSaidOnGates(incident, read)} reader={reader} />
      <GatewayStrip gateways={read.gateways ?? []} reader={reader} />
      {shown.length === 0 && <p className="quiet">{reader.words.gates.noneFound}</p>}
      <ul className="gate-cards">
        {shown.map(gate => (
          <GateCard
            key={gate.id}
            gate={gate}
            figures={read.figures.find(({ gateId }) => gateId === gate.id)}
            gateways={read.gateways}
            pins={read.gates.length > 1 ? pins : undefined}
            reader={reader}
          />
        ))}
      </ul>
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
      <span className="gate-lock icon-on-phones">
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
      {gates > 1 && (
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
  const read: Read | undefined =
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
      says={isEmpty ? words.gates.none : read && sayGates(claimsOf(read), words)}
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
          <Cards read={read} reader={reader} text={text} />
        ))}
      {!read && !failed && <Skeleton bars={cardBars} />}
      {isAdding && <LateGateForm close={() => setAdding(false)} />}
    </Page>
  )
}
