// Pages whose programs are loaded when they are first shown, or earlier.

import { Component, type ComponentType, type ReactNode, useEffect, useState, lazy as whenShown } from 'react'
import type { Failure } from '../client/client.ts'
import { nowMs, useNow } from '../clock.ts'
import { NotRead } from '../kit/states.tsx'

type AnyPage = ComponentType<{ readonly params: object }>

export interface LazyPage {
  /** Loads itself when it is rendered. */
  readonly Late: AnyPage
  /** The page, once it is loaded. */
  loaded(): AnyPage | undefined
  /** Begins to load it before it is shown, and resolves when it is there. A failure is reported where it is shown. */
  begin(): Promise<void>
}

/** A page that is loaded on demand. Its path determines its parameters. */
export function lazy(load: () => Promise<{ readonly default: ComponentType<never> }>): LazyPage {
  let loaded: AnyPage | undefined
  let loading: Promise<{ readonly default: AnyPage }> | undefined
  const begin = () => {
    loading ??= load().then(
      page => {
        loaded = page.default as AnyPage
        return { default: loaded }
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return {
    Late: whenShown(begin),
    loaded: () => loaded,
    begin: () =>
      begin().then(
        () => {},
        () => {},
      ),
  }
}

const notLoaded: Failure = { ok: false, code: 'network_error', message: '', extra: {} }
/** Browsers keep a program that did not load as such, so that only a new page asks for it again. */
const loadAgain = { failure: notLoaded, readAgain: () => location.reload(), isReading: false }

const asksEveryMs = 2_000
/** A page that is younger does not load itself again: where a program never loads, that would go round and round. */
const oldEnoughMs = 20_000
const pageBeganMs = nowMs()

/** Says that the program did not come, and loads the page again by itself once the cloud answers. */
function NotLoaded({ beganMs }: { readonly beganMs: number }) {
  const now = useNow(asksEveryMs)
  useEffect(() => {
    if (now - beganMs < oldEnoughMs) return
    void fetch('/healthz', { cache: 'no-store' }).then(
      answer => answer.ok && location.reload(),
      () => {},
    )
  }, [beganMs, now])
  return <NotRead what="Callgate" of={loadAgain} />
}

/** Says it where a program does not load, as while the cloud restarts; otherwise React would leave an empty window. */
class Loads extends Component<
  { readonly beganMs: number; readonly children: ReactNode },
  { readonly isFailed: boolean }
> {
  override state = { isFailed: false }
  static getDerivedStateFromError() {
    return { isFailed: true }
  }
  override render() {
    const { beganMs, children } = this.props
    return this.state.isFailed ? <NotLoaded beganMs={beganMs} /> : children
  }
}

/** Loaded pages are shown at once. React's own way would show the placeholder first, for 300 ms. `beganMs`: when this page began. */
export function Shown({
  beganMs = pageBeganMs,
  page,
  params,
}: {
  readonly beganMs?: number
  readonly page: LazyPage
  readonly params: object
}) {
  // The same component as long as it is shown: another one would start anew.
  const [Page] = useState<AnyPage>(() => page.loaded() ?? page.Late)
  return (
    <Loads beganMs={beganMs}>
      <Page params={params} />
    </Loads>
  )
}
