// The badge of a gate on a page: while all gates are locked, none is called ready.

import { useSpace } from '../client/session.tsx'
import { Badge, type BadgeLook } from '../kit/Badge.tsx'

export function GateBadge({ badge }: { readonly badge: BadgeLook }) {
  const { lockDown } = useSpace().space
  return lockDown && badge.tone === 'open' ? null : <Badge {...badge} />
}
