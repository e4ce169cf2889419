// Whether the window is as narrow as a phone's, for parts that have less there. What only looks different is in the styles.

import { useSyncExternalStore } from 'react'

const narrow = () => matchMedia('(max-width: 699px)')

function follow(changed: () => void): () => void {
  const media = narrow()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Follows the window, such as when a tablet is turned. */
export const useIsPhone = (): boolean => useSyncExternalStore(follow, () => narrow().matches)
