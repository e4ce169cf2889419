// The first steps of a Space, from nothing to the first opening: which are done, by what exists and has happened.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'

export const stepNames = ['space', 'gateway', 'gate', 'number', 'call', 'link'] as const
export type StepName = (typeof stepNames)[number]

/** The data from which the steps follow. */
export interface Happened {
  /** Without the revoked ones. */
  readonly gateways: readonly { readonly now: Pick<GatewayView['now'], 'lastHeardAt' | 'state'> }[]
  readonly gates: readonly unknown[]
  /** Whether the module of a gate is known to have the number of a gateway. A sandbox has no modules. */
  readonly isNumberKnown: boolean
  /** The newest presses that opened a gate, or whose outcome is unknown. */
  readonly presses: readonly Pick<OpeningRecord, 'class' | 'seen' | 'by'>[]
  /** Members with a link; one is enough. */
  readonly members: readonly unknown[]
}

type Press = Happened['presses'][number]

/** Whether the line reported that the gate took the call, or somebody saw the gate move. */
export const hasSurelyOpened = ({ class: kind, seen }: Pick<Press, 'class' | 'seen'>) =>
  kind === 'opened' || seen === 'moving'

/** Whether a press opened its gate, at least probably. */
export const hasOpened = (press: Pick<Press, 'class' | 'seen'>) =>
  press.class === 'probably_opened' || hasSurelyOpened(press)

export function stepsDone(happened: Happened): Readonly<Record<StepName, boolean>> {
  const { gates, gateways, isNumberKnown, members, presses } = happened
  const opened = presses.filter(hasOpened)
  return {
    space: true,
    // The gateway of a sandbox is online, and sends nothing that could be heard.
    gateway: gateways.some(({ now }) => now.lastHeardAt !== null || now.state === 'online'),
    gate: gates.length > 0,
    // Where a gate has opened, its module knows the number.
    number: opened.length > 0 || isNumberKnown,
    call: opened.length > 0,
    // A Space may be opened by programs alone.
    link: members.length > 0 || opened.some(({ by }) => by.kind !== 'user'),
  }
}

/** The gateway of the steps: one that is online, else one that was heard. */
export const gatewayOfSteps = <Gateway extends Pick<GatewayView, 'now'>>(
  gateways: readonly Gateway[],
): Gateway | undefined =>
  gateways.find(({ now }) => now.state === 'online') ??
  gateways.find(({ now }) => now.lastHeardAt !== null) ??
  gateways[0]

/** The intervals of reading while no events come, and for the signal. Milliseconds. */
const readEveryMs = 5_000

/** Reads the data from which the steps follow. */
export function useFirstSteps() {
  const { mode } = useSpace().space
  const live = { everyMs: readEveryMs }
  const gates = useRead('listGates', {}, live)
  const gateways = useRead('listGateways', {}, live)
  const figures = useRead('listGateFigures', {}, live)
  const presses = useRead('listHistory', {
    query: { limit: 20, classes: 'opened,probably_opened,unknown' },
  })
  const members = useRead('listMemberViews', { query: { limit: 1 } })
  const failed = [gates, figures, gateways, presses, members].find(({ failure, value }) => failure && !value)
  const happened =
    gates.value && figures.value && gateways.value && presses.value && members.value
      ? {
          gates: gates.value.gates,
          figures: figures.value.figures,
          isNumberKnown: mode === 'sandbox' || figures.value.figures.some(one => one.isNumberKnown),
          gateways: gateways.value.gateways.filter(({ now }) => now.state !== 'revoked'),
          presses: presses.value.openings,
          members: members.value.members,
        }
      : undefined
  return { happened, failed }
}
