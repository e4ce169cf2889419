import { hasRung, openingClassOf } from '@callgate/contract/call/openingClass'
import type { ReasonWord } from '@callgate/contract/call/reason'
import { reasons } from '@callgate/contract/call/reason'
import { expect, it } from 'vitest'
import { openingLook } from './openingLook.ts'

const words = Object.keys(reasons) as ReasonWord[]
const end = (reason: ReasonWord, opened: string, confidence = 'likely') => {
  const given = { status: 'failed', reason, opened, confidence } as const
  return openingLook({ class: openingClassOf(given), step: null, hasRung: hasRung(reason) })
}

const notCalled =
  'gateway_offline modem_busy modem_not_ready no_network not_dialled interrupted number_not_allowed number_changed number_in_use sim_error line_in_use'
const denied =
  'outside_schedule usage_exhausted access_ended access_inactive access_revoked permission_lost gate_inactive locked_down'

it('shows the reason where the gate did not open', () => {
  for (const word of words) {
    const { lit, middle, tone } = end(word, 'no', 'certain')
    if (denied.split(' ').includes(word)) expect([lit, tone, middle], word).toEqual([0, 'quiet', 'minus'])
    else if (notCalled.split(' ').includes(word))
      expect([lit, tone, middle], word).toEqual([1, 'shut', 'cross'])
    else expect([lit, tone, middle], word).toEqual([hasRung(word) ? 3 : 2, 'shut', 'cross'])
  }
  expect([end('no_reaction', 'no').lit, end('busy', 'no').lit, end('unreachable', 'no').lit]).toEqual([
    3, 2, 2,
  ])
})

it('shows unknown whatever the reason, where the outcome is unknown', () => {
  for (const word of words) expect(end(word, 'unknown')).toMatchObject({ tone: 'look', icon: 'look' })
  expect([end('modem_lost_after_ring', 'unknown').lit, end('no_report', 'unknown').lit]).toEqual([3, 2])
})

it('shows opened by the verdict, and dotted where it is assumed', () => {
  expect(end('rejected_after_ring', 'likely')).toEqual({
    lit: 4,
    tone: 'open',
    middle: 'check',
    icon: 'opened',
  })
  expect(end('rang', 'likely', 'assumed')).toMatchObject({ lit: 4, isDotted: true, icon: 'probably' })
})

it('lights an arc for each step while it runs', () => {
  const at = (step: 'asked' | 'calling' | 'ringing') =>
    openingLook({ class: 'running', step, hasRung: false })
  expect([at('asked').lit, at('calling').lit, at('ringing').lit]).toEqual([1, 2, 3])
  expect(at('ringing')).toMatchObject({ tone: 'call', isLive: true, icon: 'call' })
})
