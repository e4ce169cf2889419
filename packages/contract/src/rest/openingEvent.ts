// The events of one opening: its steps as they happen.

import type { Static } from 'typebox'
import { OpeningId } from '../ids.ts'
import { closed, growingWords, instant } from '../text.ts'

/** In their order. An opening may leave out steps, and takes each once. */
export const openingSteps = ['asked', 'calling', 'ringing', 'taken', 'ended'] as const

export const OpeningStep = growingWords(openingSteps, {
  description:
    '`asked`: the press is accepted; `calling`: a gateway was allowed to call; `ringing`: the gate’s number rings; `taken`: the gate took the call; `ended`: it is over',
})
export type OpeningStep = Static<typeof OpeningStep>

/** The data of an event. */
export const OpeningEvent = closed({
  openingId: OpeningId,
  step: OpeningStep,
  at: instant('When it happened'),
})
export type OpeningEvent = Static<typeof OpeningEvent>
