// The foot of a gate's card: Open, and before it the remedy after a failure, such as the message that lets a number in.

import type { Gate } from '@callgate/contract/rest/gate'
import type { CallingGatewayState } from '@callgate/contract/rest/gateHealth'
import { useState } from 'react'
import { useSpace } from '../client/session.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useOffline } from '../kit/states.tsx'
import { LateVisitor } from '../members/LateVisitor.tsx'
import { type FirstAction, firstActionOf } from './firstAction.ts'
import type { ShownFigures } from './gateCall.ts'
import type { Reader } from './gateWords.ts'
import { LateLetIn } from './LateLetIn.tsx'
import { OpenButton } from './OpenButton.tsx'
import type { Press } from './press.ts'

/** Makes a link for a visitor to this gate. Its dialog is not loaded before, which needs the network. */
function Visitor({ gate, words }: { readonly gate: Gate; readonly words: Reader['words'] }) {
  const [isAsking, setAsking] = useState(false)
  const isOffline = useOffline() !== undefined
  return (
    <>
      <Button
        isBig
        icon={<icons.link size={20} />}
        aria-label={words.gates.visitor(gate.name)}
        disabled={isOffline}
        onClick={() => setAsking(true)}
      >
        {words.gates.visitorShort}
      </Button>
      {isAsking && <LateVisitor gateId={gate.id} close={() => setAsking(false)} />}
    </>
  )
}

function sayAction(
  action: Exclude<FirstAction, { is: 'letIn' | 'measure' }>,
  { gates, history }: Reader['words'],
): string {
  if (action.is === 'remedy') return history.remedies[action.remedy]
  return action.is === 'calibrateAgain' ? gates.badges.calibrateAgain : gates[action.is]
}

export function GateFoot(props: {
  readonly gate: Gate
  readonly figures: ShownFigures | undefined
  readonly caller: CallingGatewayState
  readonly press: Press
  readonly send: () => void
  readonly reader: Reader
  readonly unable: Parameters<typeof OpenButton>[0]['unable']
}) {
  const { caller, figures, gate, press, reader, send, unable } = props
  const { words } = reader
  const { space } = useSpace()
  const [isLettingIn, letIn] = useState(false)
  const action = firstActionOf(figures, { spaceId: space.id, isPlayed: space.mode === 'sandbox', caller })
  const shown = press.is === 'ready' && unable === undefined ? action : undefined
  const measure = shown?.is === 'measure' ? shown : undefined
  const first = shown?.is === 'measure' ? undefined : shown
  const isLocked = space.lockDown !== null
  return (
    <div className="gate-foot">
      {isLettingIn && <LateLetIn gate={gate} reader={reader} done={() => letIn(false)} />}
      <div className={measure ? 'gate-actions gate-actions-measure' : 'gate-actions'}>
        {first?.is === 'letIn' && (
          <Button isBig isWide aria-expanded={isLettingIn} onClick={() => letIn(!isLettingIn)}>
            {words.history.remedies.allowNumber}
          </Button>
        )}
        {first && first.is !== 'letIn' && (
          <ButtonLink href={first.href} isBig isWide>
            {sayAction(first, words)}
          </ButtonLink>
        )}
        {measure && (
          <ButtonLink href={measure.href} isBig>
            {words.gates.testCalls}
          </ButtonLink>
        )}
        {!shown && press.is === 'ready' && !isLocked && <Visitor gate={gate} words={words} />}
        <OpenButton
          gate={gate.name}
          press={press}
          send={send}
          unable={unable}
          place={first ? 'beside' : 'card'}
        />
      </div>
    </div>
  )
}
