// Why a form was not sent, where no field shows it, and the note that another person has changed the same thing meanwhile.

import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { Banner } from './Banner.tsx'

export interface TroubleWords {
  /** Begins the text, such as `Not saved.` */
  readonly title?: string | undefined
  /** The texts of some codes here, in place of the usual ones. */
  readonly own?: Readonly<Record<string, string | undefined>>
  /** Replaces the usual texts. */
  readonly sayFailure?: ((failure: Failure) => string) | undefined
  /** Shown after the change of another person. */
  readonly changedMeanwhile?: (who: string) => string
}

/** The parts of a form, or of a call, that show a failure. */
interface Troubled {
  readonly failure: Failure | undefined
  /** A field shows it. */
  readonly refused?: object | undefined
  readonly changedBy?: string | undefined
}

/** `children` are shown below it. */
export function Trouble({
  changedMeanwhile,
  children,
  form,
  own,
  sayFailure,
  title,
}: TroubleWords & { readonly form: Troubled; readonly children?: ReactNode }) {
  const words = useWords()
  const { changedBy, failure, refused } = form
  const say = sayFailure ?? (of => sayProblem(of, words, own))
  const met = changedBy === undefined ? undefined : changedMeanwhile?.(changedBy)
  const text = met ?? (failure && !refused ? say(failure) : undefined)
  return (
    <div role="alert">
      {text !== undefined && (
        <Banner tone="shut" {...(title !== undefined && { title })}>
          {text}
        </Banner>
      )}
      {children}
    </div>
  )
}
