// One of the first steps: done, the one to do now, or a later one.

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
    /** What was done, or what is to do. */
    readonly says: string
    /** Stands beside the words. */
    readonly aside?: ReactNode
    /** What is better done as well, once it is done. */
    readonly then?: ReactNode
    /** What is done in it: below the words of the step to do now, beside those of a later one. */
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
        {then}
      </div>
      {aside !== undefined && <div className="step-aside">{aside}</div>}
      {does && (
        <div className={isNow ? 'step-does' : 'step-aside'}>{does(isNow ? 'filled' : 'outlined')}</div>
      )}
    </li>
  )
}
