// One of the first steps: done, current or later.

import type { ReactNode } from 'react'
import type { ButtonLook } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'

export interface StepPlace {
  /** From 1 on. */
  readonly place: number
  readonly state: 'done' | 'now' | 'later'
}

export function StepCard(
  props: StepPlace & {
    readonly title: string
    /** What was done, or what there is to do. */
    readonly says: string
    /** Shown beside the text. */
    readonly aside?: ReactNode
    /** A recommended addition, once the step is done. */
    readonly then?: ReactNode
    /** The controls of the step: below the text of the current step, beside the text of a later one. */
    readonly does?: ((look: ButtonLook) => ReactNode) | undefined
  },
) {
  const { aside, does, place, says, state, then, title } = props
  const { done } = useWords().firstSteps
  const isNow = state === 'now'
  return (
    <li className={`step step-is-${state}${state === 'later' ? '' : ' card'}`} aria-current={isNow && 'step'}>
      <span className="step-mark">
        {state === 'done' ? <icons.check size={20} /> : place}
        {state === 'done' && <span className="heard">{done}</span>}
      </span>
      <div className="step-what">
        <h2>{title}</h2>
        {state !== 'later' && <p className="small quiet">{says}</p>}
        {then && <div className="step-then">{then}</div>}
      </div>
      {aside !== undefined && <div className="step-fact">{aside}</div>}
      {does && (
        <div className={isNow ? 'step-does' : 'step-aside'}>{does(isNow ? 'filled' : 'outlined')}</div>
      )}
    </li>
  )
}
