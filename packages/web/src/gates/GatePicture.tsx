// The photo of a gate as a picture. The name of the gate stands beside it, so it has no text of its own.

import { fileAddress } from '../client/client.ts'
import { useSpace } from '../client/session.tsx'

export function GatePicture(props: {
  readonly gateId: string
  readonly hash: string
  readonly className: string
  /** Kept free while it is loaded. Pixels. */
  readonly width: number
  readonly height: number
}) {
  const { gateId, hash, ...more } = props
  const { space } = useSpace()
  const src = fileAddress('showGatePhoto', { params: { spaceId: space.id, gateId }, query: { hash } })
  return <img {...more} src={src} alt="" loading="lazy" />
}
