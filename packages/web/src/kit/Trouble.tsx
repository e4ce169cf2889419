// Why a form was not sent, where no field says it; and that somebody else has changed the same thing meanwhile.

import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { Banner } from './Banner.tsx'

export interface TroubleWords {
  /** Begins the text, such as `Not saved.` */
  readonly title?: string | undefined
  /** What some codes say here, in the place of the usual texts. */
  readonly own?: Readonly<Record<string, string | undefined>>
  /** In the place of the usual texts. */
  readonly sayFailure?: ((failure: Failure) => string) | undefined
  /** After the change of somebody else. */
  readonly changedMeanwhile?: (who: string) => string
}

/** What of a form, or of a call, tells that it went wrong. */
interface Troubled {
  readonly failure: Failure | undefined
  /** A field says it. */
  readonly refused?: object | undefined
  readonly changedBy?: string | undefined
}

/** `children` are said below it. */
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
