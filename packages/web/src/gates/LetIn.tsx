// On the page of a gate: the message that lets a number into its module, to be unfolded.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import { useState } from 'react'
import { isWanted } from '../kit/arrival.ts'
import { Unfold } from '../kit/Unfold.tsx'
import { LetInForm, type LetInProps } from './LetInForm.tsx'
import { typedCallers } from './LetInOfGate.tsx'
import { letInTexts } from './letInTexts.ts'

export function LetIn(props: LetInProps & { readonly callers: readonly GateCallerView[] }) {
  const { callers, gate, reader } = props
  const [isUnfolded, unfold] = useState(isWanted('let-in'))
  const [first, ...others] = typedCallers(callers)
  if (!first) return null
  return (
    <div className="let-in">
      <Unfold className="let-in-head" isUnfolded={isUnfolded} unfold={unfold}>
        {letInTexts(reader.words).title}
      </Unfold>
      {isUnfolded && <LetInForm gate={gate} callers={[first, ...others]} reader={reader} />}
    </div>
  )
}
