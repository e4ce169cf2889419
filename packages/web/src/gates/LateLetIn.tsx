// The message that lets a number in, for pages of a first visit: it is loaded when it is first shown.

import { lazy, Suspense } from 'react'
import { Skeleton } from '../kit/states.tsx'
import type { LetInProps } from './LetInOfGate.tsx'

const LetInOfGate = lazy(async () => ({ default: (await import('./LetInOfGate.tsx')).LetInOfGate }))

export function LateLetIn(props: LetInProps) {
  return (
    <Suspense fallback={<Skeleton bars={[120]} />}>
      <LetInOfGate {...props} />
    </Suspense>
  )
}
