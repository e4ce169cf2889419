// For tests: a gate whose last call has opened it.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import { outcomesOf } from '@callgate/contract/call/callOutcomes'
import { exampleOpening } from '@callgate/contract/rest/opening'

export const lastOpening = {
  ...exampleOpening,
  class: 'opened',
  step: null,
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'likely',
  safeToRetry: false,
  hasRung: true,
  by: { kind: 'member', id: 'mem_1' },
  joinedOpeningId: null,
  joiners: 0,
  gatewayId: null,
  seen: null,
} as const

export const exampleFigures: GateFigures = {
  gateId: exampleOpening.gateId,
  last: lastOpening,
  ticks: [],
  usualMs: 8_200,
  misses: 0,
  outcomes: outcomesOf([{ class: 'opened', seen: null }]),
  calibration: 'measured',
  isNumberKnown: true,
  gatewayId: null,
  photo: null,
}
