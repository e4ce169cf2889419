// The card of a gate: name, badge, last opening, the last 24 as ticks, gateway and signal, and the button.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { callerOf } from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Link } from 'wouter'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Button } from '../kit/Button.tsx'
import { OpeningRing } from '../kit/OpeningRing.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { SignalBars } from '../kit/SignalBars.tsx'
import { useOffline } from '../kit/states.tsx'
import { Ticks } from '../kit/Ticks.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayNumber } from '../words/number.ts'
import { GateBadge } from './GateBadge.tsx'
import { GateFoot } from './GateFoot.tsx'
import { GatePicture } from './GatePicture.tsx'
import { type ShownFigures, ticksShown } from './gateCall.ts'
import { badgeOf } from './gateState.ts'
import { type Reader, sayLast, sayShortTicks, sayTicks } from './gateWords.ts'
import { usePress } from './usePress.ts'
import './GateCard.css'

export interface GateProps {
  readonly gate: Gate
  readonly figures: GateFigures | undefined
  /** Undefined where they could not be read. */
  readonly gateways: readonly GatewayView[] | undefined
  readonly reader: Reader
}

/** Why no press can be sent now; undefined when one can. Where the gateways could not be read, the cloud decides. */
export function useUnable(gateways: readonly GatewayView[] | undefined, words: Reader['words']) {
  const isOffline = useOffline() !== undefined
  const { lockDown } = useSpace().space
  if (isOffline) return { icon: 'offline', word: words.openings.offline } as const
  if (lockDown) return { icon: 'lock', word: words.openings.locked } as const
  const isNobody = callerOf(gateways) === 'none'
  return isNobody ? ({ icon: 'noGateway', word: words.openings.noGateway } as const) : undefined
}

/** Switches on a gate that was off. */
export function useSwitchOn(gateId: string) {
  const change = useChange('updateGate')
  const { failure, isBusy, send } = useSending()
  const switchOn = () => void send(() => change({ params: { gateId }, body: { isActive: true } }))
  return {
    switchOn,
    isBusy,
    hasFailed: failure !== undefined,
    isLimit: failure?.code === 'plan_limit_reached',
  }
}

function SwitchOn({ gateId, words }: { readonly gateId: string; readonly words: Reader['words'] }) {
  const { hasFailed, isBusy, isLimit, switchOn } = useSwitchOn(gateId)
  return (
    <>
      <Button isBig isWide onClick={switchOn} busy={isBusy ? words.gates.switchingOn : undefined}>
        {words.gates.switchOn}
      </Button>
      {hasFailed && (
        <p role="alert" className="small gate-failure">
          {isLimit ? words.gate.limit : words.gate.notDone}
        </p>
      )}
    </>
  )
}

/** For a gate with a worse badge, or a ready one: whether its reaction to a call was measured. */
function sayUnmeasured(figures: ShownFigures | undefined, badge: string, { gates }: Reader['words']) {
  if (!figures || figures.calibration === 'measured' || badge === gates.badges.notCalibrated) return ''
  return ` · ${figures.calibration === 'none' ? gates.unCalibrated : gates.notMeasured}`
}

/** `gateway`: the one that called last, where there are several. */
function LastTicks(props: {
  readonly figures: ShownFigures
  readonly gateway: GatewayView | undefined
  readonly reader: Reader
}) {
  const { figures, gateway, reader } = props
  const says = reader.words.gates.ticks
  const classes = figures.ticks.map(tick => tick.class)
  return (
    <>
      <Ticks classes={classes} columns={ticksShown} label={`${says.last} ${sayTicks(classes, reader)}`} />
      <div className="gate-ticks-says small">
        <p>{sayShortTicks(classes, reader)}</p>
        {gateway && (
          <p className="gate-gateway">
            <SignalBars dBm={gateway.now.modem?.signalDbm} isQuiet />
            {gateway.name}
          </p>
        )}
      </div>
    </>
  )
}

/** What a card or a row shows of a gate, and what its button does. */
export function useGate({ figures, gate, gateways, reader }: GateProps) {
  const { words } = reader
  const { space } = useSpace()
  const unable = useUnable(gateways, words)
  const { press, send, shown } = usePress(gate.id, figures)
  const caller = callerOf(gateways)
  return {
    href: hrefOf(dashboardPaths.gate, { spaceId: space.id, gateId: gate.id }),
    unable,
    press,
    send,
    shown,
    caller,
    says: sayLast(shown, reader),
    look: shown?.last ? openingLook(shown.last) : ({ lit: 0, tone: 'quiet', icon: 'minus' } as const),
    badge: badgeOf(gate, shown, { caller, words }),
  }
}

export function GateCard(props: GateProps) {
  const { gate, gateways, reader } = props
  const { words } = reader
  const { badge, caller, href, look, press, says, send, shown, unable } = useGate(props)
  const [headline, below] = says
  // A single gateway stands above the cards.
  const gateway =
    gateways && gateways.length > 1 ? gateways.find(({ id }) => id === shown?.gatewayId) : undefined
  return (
    <li className={gate.isActive ? 'card gate-card' : 'card gate-card gate-card-off'}>
      <div className="gate-names">
        <div>
          <h2>
            <Link href={href}>{gate.name}</Link>
          </h2>
          <p className="small quiet">
            {gate.location || sayNumber(gate.phoneNumber)}
            {sayUnmeasured(shown, badge.word, words)}
          </p>
        </div>
        <GateBadge badge={badge} />
      </div>
      <div className="gate-last">
        <OpeningRing look={look} size={34} />
        <div>
          <b>{headline}</b>
          <p className="small quiet">{below}</p>
        </div>
        {shown?.photo && (
          <GatePicture className="gate-photo" gateId={gate.id} hash={shown.photo} width={44} height={44} />
        )}
      </div>
      <div className="gate-ticks">
        {shown && <LastTicks figures={shown} gateway={gateway} reader={reader} />}
      </div>
      {gate.isActive ? (
        <GateFoot
          gate={gate}
          figures={shown}
          caller={caller}
          press={press}
          send={send}
          reader={reader}
          unable={unable}
        />
      ) : (
        <SwitchOn gateId={gate.id} words={words} />
      )}
    </li>
  )
}
