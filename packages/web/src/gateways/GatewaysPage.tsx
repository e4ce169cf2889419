// The gateways of the Space: a list of cards, and one gateway with its figures over time.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { useParams } from 'wouter'
import { AlertsOnTop, useIncidents } from '../alerts/OpenAlerts.tsx'
import { type Reading, useRead, useTogether } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { isSaidOfGateway } from '../gates/claims.ts'
import type { Reader } from '../gates/gateWords.ts'
import { sayGateway, sayGateways } from '../gates/lateClaims.ts'
import { useReader } from '../gates/useGateReader.ts'
import { Badge } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Above, Page } from '../kit/Page.tsx'
import { useIsPhone } from '../kit/phone.ts'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { UpdateCard } from '../updates/UpdateCard.tsx'
import { useOffers, useUpdates } from '../updates/useOffers.ts'
import { simTexts } from '../words/simTexts.ts'
import { AboutGateway } from './AboutGateway.tsx'
import { AddGateway } from './AddGateway.tsx'
import { EditGateway } from './EditGateway.tsx'
import { EnrolmentList, useEnrolments } from './EnrolmentList.tsx'
import { GatewayCard } from './GatewayCard.tsx'
import { GatewayDetail } from './GatewayDetail.tsx'
import { badgeOf, sayWarning } from './gatewayWords.ts'
import { NewPassword } from './NewPassword.tsx'
import { PretendDetail } from './PretendDetail.tsx'
import { ShutOut } from './ShutOut.tsx'
import { SimCard } from './SimCard.tsx'
import { warningsOf } from './warnings.ts'
import './gateways.css'

/** The interval of reading the list, in milliseconds: that of a gateway's beats. */
const everyMs = 10_000

/** Gateways that are not revoked come first. */
function inOrder(gateways: readonly GatewayView[]): readonly GatewayView[] {
  const isOut = ({ now }: GatewayView) => (now.state === 'revoked' ? 1 : 0)
  return [...gateways].sort((a, b) => isOut(a) - isOut(b))
}

type GatewayDialog = 'edit' | 'replace' | 'password' | 'shutOut'

function Panes(props: {
  readonly gateways: readonly GatewayView[]
  readonly shownId: string | undefined
  readonly thingsOf: (gateway: GatewayView) => readonly string[]
  readonly reader: Reader
}) {
  const { gateways, reader, shownId, thingsOf } = props
  const { space } = useSpace()
  const words = reader.words.gateways
  const offerOf = useOffers(reader.words)
  const [asked, setAsked] = useState<{ readonly what: GatewayDialog; readonly of: string }>()
  const shown = shownId === undefined ? gateways[0] : gateways.find(({ id }) => id === shownId)
  // A dialog closes together with the page of its gateway: Back on a phone shows another gateway.
  const asks = asked?.of === shown?.id ? asked?.what : undefined
  const ask = (what: GatewayDialog) => () => shown && setAsked({ what, of: shown.id })
  const close = () => setAsked(undefined)
  return (
    <div className={shownId === undefined ? 'gateway-panes gateway-panes-list' : 'gateway-panes'}>
      <nav className="gateway-list" aria-label={words.list}>
        {gateways.map(gateway => (
          <GatewayCard
            key={gateway.id}
            gateway={gateway}
            href={hrefOf(dashboardPaths.gateway, { spaceId: space.id, gatewayId: gateway.id })}
            isShown={gateway === shown}
            update={gateway.now.state === 'revoked' ? undefined : offerOf(gateway.id)}
            things={thingsOf(gateway)}
            reader={reader}
          />
        ))}
      </nav>
      {shown && space.mode === 'sandbox' && <PretendDetail key={shown.id} gateway={shown} reader={reader} />}
      {!shown && <Empty title={reader.words.frame.noPage}>{reader.words.frame.noPageWhy}</Empty>}
      {shown && space.mode === 'live' && (
        <>
          <GatewayDetail key={shown.id} gateway={shown} reader={reader} edit={ask('edit')} />
          <div className="gateway-side">
            {shown.now.state !== 'revoked' && <SimCard key={shown.id} gateway={shown} reader={reader} />}
            {shown.now.state !== 'revoked' && <UpdateCard gatewayId={shown.id} reader={reader} />}
            <AboutGateway
              gateway={shown}
              reader={reader}
              edit={ask('edit')}
              replace={ask('replace')}
              newPassword={ask('password')}
              shutOut={ask('shutOut')}
            />
          </div>
          {asks === 'edit' && <EditGateway gatewayId={shown.id} close={close} />}
          {asks === 'replace' && <AddGateway replaces={shown} close={close} />}
          {asks === 'password' && <NewPassword gateway={shown} close={close} />}
          {asks === 'shutOut' && (
            <ShutOut
              gateway={shown}
              isLast={!gateways.some(({ id, now }) => id !== shown.id && now.state === 'online')}
              close={close}
            />
          )}
        </>
      )}
    </div>
  )
}

/** Begins the readings that move something when they come, and those of the head. */
function useParts(
  read: Reading<'listGateways'>,
  gatewayId: string | undefined,
  shown: string,
  reader: Reader,
): {
  readonly isTogether: boolean
  readonly says: string
  readonly thingsOf: (gateway: GatewayView) => readonly string[]
} {
  const { words } = reader
  // A sandbox's gateway has no SIM card and no supply to warn about.
  const isPretend = useSpace().space.mode === 'sandbox'
  const isThere = read.value?.gateways.some(({ id }) => id === shown) ?? false
  const isOne = gatewayId !== undefined && isThere
  const params = { gatewayId: shown }
  // The same readings as for its charts and for its SIM card.
  const charts = { params, query: { range: '24h' } } as const
  const history = useRead('getGatewayHistory', charts, { isWanted: isThere })
  const sim = useRead('getSim', { params }, { isWanted: isThere && !isPretend })
  const ofOne = isThere ? [history, ...(isPretend ? [] : [sim])] : []
  const gates = useRead('listGates', {})
  const figures = useRead('listGateFigures', {})
  const lists = [read, gates, figures, useIncidents(), useEnrolments(), useUpdates()]
  const isTogether = useTogether(...lists, ...ofOne)
  const gateways = read.value?.gateways
  /** What is to be seen to at a gateway. What its SIM card and its supply need, only of the shown one. */
  const thingsOf = (gateway: GatewayView): readonly string[] => {
    if (isPretend) return []
    const isShown = gateway.id === shown
    const warnings = warningsOf(gateway, isShown ? history.value : undefined)
    const ofSim = (isShown && sim.value?.sim.now.warnings) || []
    const says = simTexts(words).warnings
    return [...warnings.map(one => sayWarning(one, reader)[0]), ...ofSim.map(one => says[one][0])]
  }
  const known = gateways && {
    gateways,
    gates: gates.value?.gates ?? [],
    figures: figures.value?.figures ?? [],
    thingsOf: (gateway: GatewayView) => thingsOf(gateway).length,
  }
  const say = known && (isOne ? sayGateway(shown, known, words) : sayGateways(known, words))
  return { isTogether, says: (isTogether && say) || '', thingsOf }
}

export function GatewaysPage() {
  const reader = useReader()
  const { words } = reader
  const { space } = useSpace()
  const { gatewayId } = useParams<{ readonly gatewayId?: string }>()
  const read = useRead('listGateways', {}, { everyMs })
  const [isAdding, setAdding] = useState(false)
  const gateways = read.value && inOrder(read.value.gateways)
  const shown = gatewayId ?? gateways?.[0]?.id ?? ''
  const { isTogether, says, thingsOf } = useParts(read, gatewayId, shown, reader)
  const list = words.frame.pages.gateways
  // On a phone a gateway has the page for itself, else it stands beside the list.
  const isAlone = useIsPhone() && gatewayId !== undefined
  const alone = isAlone ? gateways?.find(({ id }) => id === gatewayId) : undefined
  // A sandbox has its stand-in alone.
  const add = space.mode === 'live' && !isAlone && (
    <Button look="filled" icon={<icons.add size={20} />} onClick={() => setAdding(true)}>
      {words.gateways.form.add}
    </Button>
  )
  return (
    <Page
      title={alone?.name ?? list}
      says={says}
      actions={add || undefined}
      above={isAlone && <Above href={hrefOf(dashboardPaths.gateways, { spaceId: space.id })}>{list}</Above>}
      badge={alone && <Badge {...badgeOf(alone, reader)} />}
    >
      <NotRead what={list} of={read} />
      {!isTogether && (
        <Skeleton
          bars={[
            [120, 132],
            [120, 132],
            [320, 200],
          ]}
        />
      )}
      {isTogether && (
        <>
          {gateways?.length === 0 && (
            <Empty title={words.gateways.emptyTitle}>{words.gateways.emptyText}</Empty>
          )}
          <AlertsOnTop
            // The shown gateway has its own warnings, and each card says whether it is offline.
            fits={incident =>
              incident.target.type === 'gateway' &&
              incident.target.id !== shown &&
              !isSaidOfGateway(incident, gateways)
            }
            reader={reader}
          />
          <EnrolmentList />
          {gateways && gateways.length > 0 && (
            <Panes gateways={gateways} shownId={gatewayId} thingsOf={thingsOf} reader={reader} />
          )}
        </>
      )}
      {isAdding && <AddGateway close={() => setAdding(false)} />}
    </Page>
  )
}
