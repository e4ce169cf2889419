import { adviceAfter, isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import { languages } from '@callgate/contract/rest/member'
import { expect, it } from 'vitest'
import { type Ending, endingUndialled, endingUnknown } from '../core/opening.ts'
import { outcomeOf, retryOf } from './outcome.ts'
import { type Outcome, texts } from './texts/texts.ts'

const words = Object.keys(reasons) as ReasonWord[]
const outcomes = Object.keys(texts.en.outcomes) as Outcome[]
const unknown = (reason: ReasonWord): Ending => ({ ...endingUnknown('no_report'), status: 'failed', reason })

it('advises a guest to press again without checking the gate exactly where that is safe and can help', () => {
  for (const reason of words) {
    const endings = [
      endingUndialled(reason),
      { ...endingUndialled(reason), safeToRetry: false },
      unknown(reason),
      ...(isHelpedByAnother(reason) ? [{ ...endingUndialled(reason), safeToRetry: true }] : []),
    ]
    for (const ending of endings) {
      const retry = retryOf(ending)
      const isSaidSafe = retry !== undefined && retry !== 'lookFirst'
      expect(isSaidSafe, JSON.stringify(ending)).toBe(ending.safeToRetry)
      // The same words as in the API and on the dashboard.
      if (isSaidSafe) expect(retry).toBe(adviceAfter(reason, true).again)
    }
    expect(endingUndialled(reason).safeToRetry).toBe(passesByItself(reason))
  }
})

it('never says that the gate did not open where that is unknown', () => {
  for (const reason of words)
    expect(outcomeOf(unknown(reason))).toBe(reason === 'answered_unexpectedly' ? 'answered' : 'unknown')
})

it('tells an ended access from one that is outside its hours, in every language', () => {
  expect(outcomeOf(endingUndialled('access_ended'))).toBe('ended')
  expect(outcomeOf(endingUndialled('outside_schedule'))).toBe('outside')
  for (const language of languages) {
    const said = outcomes.map(outcome => texts[language].outcomes[outcome].join(' '))
    expect(new Set(said).size, language).toBe(outcomes.length)
  }
})

it('has an outcome for an end by a newer cloud', () => {
  const newer = endingUndialled('a_later_word' as ReasonWord)
  expect([outcomeOf(newer), retryOf(newer)]).toEqual(['unreached', 'lookFirst'])
})

it('tells a SIM card without credit from one that the operator bars, and advises against another press for both', () => {
  for (const [reason, outcome] of [
    ['no_credit', 'noCredit'],
    ['calls_barred', 'barred'],
  ] as const) {
    const ending = { ...endingUndialled(reason), confidence: 'likely' } as const
    expect([outcomeOf(ending), retryOf(ending)]).toEqual([outcome, undefined])
    expect(outcomeOf({ ...ending, safeToRetry: true })).toBe('otherGateway')
  }
})

it('makes no claim about gateway or gate after a press that placed no call', () => {
  // The gateway may be ready, and another call may be moving the gate.
  expect(outcomeOf(endingUndialled('number_in_use'))).toBe('notCalled')
  expect(texts.en.outcomes.notCalled.join(' ')).not.toMatch(/ready|nothing moved/)
  expect(texts.de.outcomes.notCalled.join(' ')).not.toMatch(/bereit|also hat sich/)
})

it('says no word of the API to a guest, in any language', () => {
  for (const language of languages)
    expect(Object.values(texts[language].outcomes).flat().join(' ')).not.toMatch(/[a-z]_[a-z]/)
})
