// The texts and controls of each first step.

import type { MemberView } from '@callgate/contract/app/appMember'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useSpace } from '../client/session.tsx'
import { emptyGatesTexts } from '../gates/emptyGatesTexts.ts'
import { gatewayOfSteps, hasOpened, hasSurelyOpened } from '../gates/firstSteps.ts'
import { type Reader, sayWhen } from '../gates/gateWords.ts'
import { LetInOfGate } from '../gates/LetInOfGate.tsx'
import { Button, ButtonLink, type ButtonLook } from '../kit/Button.tsx'
import { SignalBars } from '../kit/SignalBars.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayNumber } from '../words/number.ts'
import { dbm } from '../words/time.ts'
import { FirstCall } from './FirstCall.tsx'
import { StepCard, type StepPlace } from './StepCard.tsx'
import { Unmeasured } from './Unmeasured.tsx'

export interface StepProps extends StepPlace {
  readonly gateways: readonly GatewayView[]
  readonly gates: readonly Gate[]
  readonly presses: readonly OpeningRecord[]
  readonly members: readonly MemberView[]
  readonly reader: Reader
  /** Opens a form. */
  readonly ask: (what: 'gateway' | 'gate' | 'number') => void
}

export function SpaceStep({ place, reader, state }: StepProps) {
  const { name, timezone } = useSpace().space
  const says = reader.words.firstSteps.space
  return <StepCard place={place} state={state} title={says.title} says={`${name} · ${timezone}`} />
}

function Signal({ now }: Pick<GatewayView, 'now'>) {
  const signal = now.modem?.signalDbm ?? null
  if (now.state !== 'online' || signal === null) return null
  return (
    <span className="small quiet step-signal">
      <SignalBars dBm={signal} /> <span>{dbm(signal)}</span>
    </span>
  )
}

function sayGateway({ name, now }: GatewayView, { words }: Reader): string {
  const says = words.firstSteps.gateway
  if (now.state === 'new') return says.added(name)
  if (now.state !== 'online') return says.away(name)
  return now.modem?.registration === 'home' || now.modem?.registration === 'roaming'
    ? says.registered(name)
    : says.online(name)
}

export function GatewayStep({ ask, gateways, place, reader, state }: StepProps) {
  const { firstSteps, gates } = reader.words
  const { space } = useSpace()
  const shown = gatewayOfSteps(gateways)
  const hrefTo = ({ id }: GatewayView) => hrefOf(dashboardPaths.gateway, { spaceId: space.id, gatewayId: id })
  const add = (look: ButtonLook) => (
    <Button look={look} onClick={() => ask('gateway')}>
      {emptyGatesTexts(reader.words).connect}
    </Button>
  )
  const check = shown && (() => <ButtonLink href={hrefTo(shown)}>{gates.gateway.check}</ButtonLink>)
  return (
    <StepCard
      place={place}
      state={state}
      title={firstSteps.gateway.title}
      says={shown ? sayGateway(shown, reader) : firstSteps.gateway.todo}
      aside={shown && <Signal now={shown.now} />}
      does={shown?.now.state === 'online' ? undefined : (check ?? add)}
    />
  )
}

export function GateStep({ ask, gates, place, reader, state }: StepProps) {
  const { firstSteps, gates: words } = reader.words
  const [gate] = gates
  const add = (look: ButtonLook) => (
    <Button look={look} onClick={() => ask('gate')}>
      {words.add}
    </Button>
  )
  return (
    <StepCard
      place={place}
      state={state}
      title={firstSteps.gate.title}
      says={gate ? `${gate.name} · ${sayNumber(gate.phoneNumber)}` : firstSteps.gate.todo}
      does={gate ? undefined : add}
    />
  )
}

export function NumberStep({ ask, gates, gateways, place, presses, reader, state }: StepProps) {
  const says = reader.words.firstSteps.number
  const [gate] = gates
  const { mode } = useSpace().space
  const said = mode === 'sandbox' ? says.played : says.said
  const opened = presses.some(hasSurelyOpened) ? says.known : says.probably
  const known = presses.some(hasOpened) ? opened : said
  // Without a gateway there is no SIM card whose number could be let in, and without a gate no module.
  const canSay = gate && gateways.length > 0
  return (
    <StepCard
      place={place}
      state={state}
      title={says.title}
      says={state === 'done' ? known : says.todo}
      does={
        state === 'now' && canSay
          ? () => (
              <div className="step-let-in">
                <LetInOfGate gate={gate} reader={reader} typeNumber={() => ask('number')} />
              </div>
            )
          : undefined
      }
    />
  )
}

export function CallStep({ gates, gateways, place, presses, reader, state }: StepProps) {
  const { firstSteps, gates: words } = reader.words
  const opened = presses.find(hasOpened)
  const gate = gates.find(({ isActive }) => isActive)
  const openedGate = gates.find(({ id, isActive }) => isActive && id === opened?.gateId)
  const sayOpened = opened?.class === 'probably_opened' ? words.last.probably : words.last.opened
  const says = opened
    ? `${opened.gateName} · ${sayOpened(sayWhen(opened.calledAt, reader))}`
    : firstSteps.call.todo
  // Read only where its warning is shown.
  const call = () => gate && <FirstCall gate={gate} gateways={gateways} reader={reader} />
  return (
    <StepCard
      place={place}
      state={state}
      title={firstSteps.call.title}
      says={says}
      does={state === 'now' && gate ? call : undefined}
      then={state === 'done' && openedGate && <Unmeasured gate={openedGate} />}
    />
  )
}

export function LinkStep({ members, place, reader, state }: StepProps) {
  const { firstSteps, members: words } = reader.words
  const { space } = useSpace()
  const says = firstSteps.link
  const [member] = members
  const known = state === 'done' ? says.byKey : says.todo
  const add = (look: ButtonLook) => (
    <ButtonLink look={look} href={hrefOf(dashboardPaths.newMember, { spaceId: space.id })}>
      {words.add}
    </ButtonLink>
  )
  return (
    <StepCard
      place={place}
      state={state}
      title={says.title}
      says={member ? says.has(member.name) : known}
      does={state === 'done' ? undefined : add}
    />
  )
}
