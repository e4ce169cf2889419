// What a typed phone number is read as, while it is typed.

import { useEffect, useState } from 'react'
import { useSpace } from '../client/session.tsx'
import type { ReadNumber, readNumber } from './readNumber.ts'

/** National numbers are those of the country of the Space. Undefined where it can be no number, and until it is known. */
export function useReadNumber(typed: string): ReadNumber | undefined {
  const { country } = useSpace().space
  const [read, setRead] = useState<typeof readNumber>()
  const isTyped = typed !== ''
  useEffect(() => {
    if (isTyped) void import('./readNumber.ts').then(loaded => setRead(() => loaded.readNumber))
  }, [isTyped])
  return read?.(typed, country)
}
