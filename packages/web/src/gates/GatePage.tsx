// The page of one gate: its openings as a timeline, how it takes a call, the numbers to allow, the signal.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { callerOf } from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import { usePins } from '../client/pins.ts'
import { useRead, useTogether } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { isWanted } from '../kit/arrival.ts'
import { Button, ButtonLink, IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Above, Page } from '../kit/Page.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayNumber } from '../words/number.ts'
import { useWords } from '../words/words.tsx'
import { Callers } from './Callers.tsx'
import { CallProfileCard, type ProfileBody } from './CallProfile.tsx'
import { CallProfileForm } from './CallProfileForm.tsx'
import { GateBadge } from './GateBadge.tsx'
import { useSwitchOn, useUnable } from './GateCard.tsx'
import { GateForm } from './GateForm.tsx'
import { GatePhoto } from './GatePhoto.tsx'
import { badgeOf } from './gateState.ts'
import type { Reader } from './gateWords.ts'
import { OpenButton } from './OpenButton.tsx'
import { SignalDay } from './SignalDay.tsx'
import { SwitchOff } from './SwitchOff.tsx'
import { TestCall } from './TestCall.tsx'
import { lastOpenings, Timeline } from './Timeline.tsx'
import { readEveryMs, useReader } from './useGateReader.ts'
import { usePress } from './usePress.ts'
import './gates.css'
import './gate.css'

type GateDialog =
  | { readonly is: 'edit'; readonly gate: Gate; readonly etag: string | undefined }
  | { readonly is: 'profile'; readonly profile: ProfileBody['profile']; readonly etag: string | undefined }
  | { readonly is: 'test' | 'off' }

function Actions(props: {
  readonly gate: Gate
  readonly reader: Reader
  readonly edit: () => void
  readonly switchOff: () => void
}) {
  const { edit, gate, reader, switchOff } = props
  const says = reader.words.gate
  const { isBusy, switchOn } = useSwitchOn(gate.id)
  const { pins, toggle } = usePins(useSpace().space.id)
  return (
    <>
      {gate.isActive ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton label={says.more}>
              <icons.dots size={20} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<icons.pin size={18} />} onClick={() => toggle(gate.id)}>
              {pins.includes(gate.id) ? says.unpin : says.pin}
            </Menu.Item>
            <Menu.Item leftSection={<icons.off size={18} />} onClick={switchOff}>
              {says.switchOff}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <span className="gate-switch-on">
          <Button
            look="filled"
            isWide
            onClick={switchOn}
            busy={isBusy ? reader.words.gates.switchingOn : undefined}
          >
            {reader.words.gates.switchOn}
          </Button>
        </span>
      )}
      <span className="gate-edit icon-on-phones">
        <Button icon={<icons.edit size={18} />} onClick={edit}>
          {says.edit}
        </Button>
      </span>
    </>
  )
}

function Dialogs({
  asked,
  close,
  gate,
  send,
}: {
  asked: GateDialog | undefined
  close: () => void
  gate: Gate
  send: () => void
}) {
  if (asked?.is === 'edit') return <GateForm close={close} edited={asked} />
  if (asked?.is === 'profile') return <CallProfileForm gateId={gate.id} read={asked} close={close} />
  if (asked?.is === 'off') return <SwitchOff gate={gate} close={close} />
  return asked?.is === 'test' ? <TestCall close={close} go={send} /> : null
}

/** The page once the gate is read. */
function Loaded({
  etag,
  gate,
  reader,
}: {
  readonly gate: Gate
  readonly etag: string | undefined
  readonly reader: Reader
}) {
  const { words } = reader
  const { space } = useSpace()
  const read = useRead('getGateFigures', { params: { gateId: gate.id } }, { everyMs: readEveryMs })
  const readGateways = useRead('listGateways', {}, { everyMs: readEveryMs })
  const known = readGateways.value?.gateways
  const gateways: readonly GatewayView[] = known ?? []
  const figures = read.value?.figures
  const { call, press, send, shown } = usePress(gate.id, figures)
  const unable = useUnable(known, words)
  const [asked, setAsked] = useState<GateDialog | undefined>(
    isWanted('edit') ? { is: 'edit', gate, etag } : undefined,
  )
  const caller = gateways.find(({ id }) => id === figures?.gatewayId) ?? gateways[0]
  const isSettled = readGateways.value || readGateways.failure
  return (
    <Page
      title={gate.name}
      above={
        <Above href={hrefOf(dashboardPaths.gates, { spaceId: space.id })}>{words.frame.pages.gates}</Above>
      }
      badge={isSettled && <GateBadge badge={badgeOf(gate, shown, { caller: callerOf(known), words })} />}
      says={[gate.location, sayNumber(gate.phoneNumber)].filter(Boolean).join(' · ')}
      actions={
        <>
          <Actions
            gate={gate}
            reader={reader}
            edit={() => setAsked({ is: 'edit', gate, etag })}
            switchOff={() => setAsked({ is: 'off' })}
          />
          {gate.isActive && isSettled && (
            <OpenButton gate={gate.name} press={press} send={send} unable={unable} place="head" />
          )}
        </>
      }
    >
      <div className="gate-columns">
        <Timeline gateId={gate.id} gateways={gateways} call={call} reader={reader} />
        <div className="gate-side">
          <CallProfileCard
            gateId={gate.id}
            ringMs={read.value?.ringMs ?? []}
            reader={reader}
            test={() => setAsked({ is: 'test' })}
            edit={profile => setAsked({ is: 'profile', ...profile })}
            canCall={gate.isActive && unable === undefined}
            isFree={press.is === 'ready'}
          />
          {read.value && <Callers gate={gate} seen={read.value.callers} reader={reader} />}
          {caller && <SignalDay gateway={caller} reader={reader} />}
          <GatePhoto gateId={gate.id} />
        </div>
      </div>
      <Dialogs asked={asked} close={() => setAsked(undefined)} gate={gate} send={send} />
    </Page>
  )
}

/** Begins all readings of the page at once, so that its parts come together. */
function useParts(gateId: string): boolean {
  const params = { gateId }
  return useTogether(
    useRead('getGateFigures', { params }),
    useRead('listGateways', {}),
    useRead('listHistory', lastOpenings(gateId)),
    useRead('getGateProfile', { params }),
    useRead('getCalibration', { params }),
    useRead('getGateCallers', { params }),
    useRead('getGatePhoto', { params }),
  )
}

/** The heights of the head, the openings, and the cards beside or below them. */
const bars = [
  [84, 190],
  [480, 190],
  [300, 400],
  [190, 210],
] as const

export function GatePage() {
  const { gateId = '' } = useParams<{ gateId: string }>()
  const { space } = useSpace()
  const words = useWords()
  const reader = useReader()
  const read = useRead('getGate', { params: { gateId } })
  const isTogether = useParts(gateId)
  if (read.value && isTogether)
    return <Loaded key={gateId} gate={read.value.gate} etag={read.etag} reader={reader} />
  if (read.failure?.code === 'not_found')
    return (
      <Page title={words.frame.noPage} says={words.frame.noPageWhy}>
        <ButtonLink href={hrefOf(dashboardPaths.gates, { spaceId: space.id })}>
          {words.frame.toGates}
        </ButtonLink>
      </Page>
    )
  return read.failure ? <NotRead what={words.frame.pages.gates} of={read} /> : <Skeleton bars={bars} />
}
