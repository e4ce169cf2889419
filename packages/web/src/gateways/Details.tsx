// What only few need to know of a gateway: it is folded until somebody wants it.

import { type ReactNode, useState } from 'react'
import { lateClaimTexts } from '../gates/lateClaims.ts'
import { Unfold } from '../kit/Unfold.tsx'
import { useWords } from '../words/words.tsx'

export function Details({ children }: { readonly children: ReactNode }) {
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <div className="gateway-details">
      <Unfold className="gateway-details-head" isUnfolded={isUnfolded} unfold={setUnfolded}>
        {lateClaimTexts(useWords()).details}
      </Unfold>
      {isUnfolded && children}
    </div>
  )
}
