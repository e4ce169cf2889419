// The Idempotency-Key of a dialog: sending it again after a missing answer does nothing twice.

import { useRef } from 'react'
import { newKey } from '../clock.ts'
/** One key for each body, until another one is sent. */
export function useKeyOf(): (body: object) => string {
  const sent = useRef({ body: '', key: '' })
  return body => {
    const text = JSON.stringify(body)
    if (sent.current.body !== text) sent.current = { body: text, key: newKey() }
    return sent.current.key
  }
}
