// Sharing a link by the sheet of the device.

import { useSpace } from '../client/session.tsx'
import { useWords } from '../words/words.tsx'

/** Shares the link; undefined where the browser cannot, so that only copying is offered. */
export function useShare(link: string): (() => void) | undefined {
  const says = useWords().member.link
  const { space } = useSpace()
  if (typeof navigator.share !== 'function') return undefined
  return () =>
    // The person has closed the sheet of the device, so there is no message.
    void navigator.share({ text: says.shareText(space.name), url: link }).catch(() => {})
}
