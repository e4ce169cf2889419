// The states of a part that is read: loading, empty and failed, with the banner of a browser without a network.

import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { nowMs, useIsLate } from '../clock.ts'
import { sayProblem } from '../words/problems.ts'
import { deviceTime } from '../words/time.ts'
import { type FirstWords, useFirstWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { firstIcons } from './firstIcons.tsx'
import './states.css'

/** Content that arrives sooner shows no skeleton at all. Milliseconds. */
const skeletonAfterMs = 300

/**
 * Bars in place of content that is being read, shown after a moment. Each has its own height in pixels, on a desk and on a phone:
 * that of the content, so that nothing below it moves. Their place is taken at once.
 */
export function Skeleton({ bars }: { readonly bars: readonly (number | readonly [number, number])[] }) {
  const words = useFirstWords()
  const isLate = useIsLate(skeletonAfterMs)
  const shown = bars.map((height, place) => {
    const [desk, phone] = typeof height === 'number' ? [height, height] : height
    return { key: `${place}`, style: { '--desk': `${desk}px`, '--phone': `${phone}px` } as CSSProperties }
  })
  // The region exists at once: a live region is announced when its text comes later.
  return (
    <div className={isLate ? 'skeleton' : 'skeleton skeleton-early'} role="status">
      {isLate && <span className="heard">{words.frame.reading}</span>}
      {shown.map(({ key, style }) => (
        <span key={key} className="skeleton-bar" style={style} aria-hidden="true" />
      ))}
    </div>
  )
}

/** Nothing exists yet: the reason, and the first step. */
export function Empty(props: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="empty">
      <h2>{props.title}</h2>
      {props.children !== undefined && <p className="quiet">{props.children}</p>}
      {props.action}
    </div>
  )
}

/** Why something could not be read, for a person. */
export function sayNotRead(failure: Failure, words: FirstWords): string {
  const { notReadBusy, notReadFault, notReadProxy, notReadTooMany, notReadWhy } = words.frame
  return sayProblem(failure, words, {
    network_error: notReadWhy,
    internal_error: notReadFault,
    proxy_failed: notReadProxy(failure.message),
    unavailable: notReadBusy(failure.retryAfterS ?? 60),
    rate_limited: notReadTooMany(failure.retryAfterS ?? 60),
  })
}

/** The failure of a part's reading, and a function that repeats the reading. */
interface Unread {
  readonly failure: Failure | undefined
  readonly readAgain: () => void
  readonly isReading: boolean
}

/** One part could not be read, and why; the rest of the page stays. `what` begins a sentence: `The gates`. */
export function NotRead({ of, what }: { readonly what: string; readonly of: Unread }) {
  const words = useFirstWords()
  const { frame } = words
  if (!of.failure) return null
  return (
    <div className="not-read" role="alert">
      <h2>{frame.notRead(what)}</h2>
      <p className="quiet">{sayNotRead(of.failure, words)}</p>
      <Button onClick={of.readAgain} busy={of.isReading ? frame.reading : undefined}>
        {frame.readAgain}
      </Button>
    </div>
  )
}

/** Whether the browser has a network, and since when it has none, in milliseconds since 1970. */
export function useOffline(): number | undefined {
  const [since, setSince] = useState(() => (navigator.onLine ? undefined : nowMs()))
  useEffect(() => {
    const goOn = () => setSince(undefined)
    const stop = () => setSince(nowMs())
    addEventListener('online', goOn)
    addEventListener('offline', stop)
    return () => {
      removeEventListener('online', goOn)
      removeEventListener('offline', stop)
    }
  }, [])
  return since
}

/** The banner above every page while there is no network. Its time comes from the browser's clock. */
export function OfflineBanner() {
  const words = useFirstWords()
  const since = useOffline()
  return (
    <div role="status">
      {since !== undefined && (
        <p className="banner banner-look">
          <firstIcons.offline />
          <span>
            <b>{words.frame.offlineSince(deviceTime(since, words.locale))}</b> {words.frame.offlineWhy}
          </span>
        </p>
      )}
    </div>
  )
}
