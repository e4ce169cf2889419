// Pages whose programs are loaded when they are first shown, or before.

import { type ComponentType, useState, lazy as whenShown } from 'react'

type AnyPage = ComponentType<{ readonly params: object }>

export interface LazyPage {
  /** Loads itself where it is shown. */
  readonly Late: AnyPage
  /** The page, once it is loaded. */
  loaded(): AnyPage | undefined
  /** Begins to load it, before it is shown. A failure is told where it is shown. */
  begin(): void
}

/** A page that is loaded by need. Which parameters it takes, its path says. */
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
  return { Late: whenShown(begin), loaded: () => loaded, begin: () => void begin().catch(() => {}) }
}

/** What is loaded already is shown at once. React's own way would show the place of it first, and that for 300 ms. */
export function Shown({ page, params }: { readonly page: LazyPage; readonly params: object }) {
  // The same one as long as it is shown: another would begin anew.
  const [Page] = useState<AnyPage>(() => page.loaded() ?? page.Late)
  return <Page params={params} />
}
