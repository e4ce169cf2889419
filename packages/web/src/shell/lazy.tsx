// Pages whose programs are loaded when they are first shown, or earlier.

import { type ComponentType, useState, lazy as whenShown } from 'react'

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

/** Loaded pages are shown at once. React's own way would show the placeholder first, for 300 ms. */
export function Shown({ page, params }: { readonly page: LazyPage; readonly params: object }) {
  // The same component as long as it is shown: another one would start anew.
  const [Page] = useState<AnyPage>(() => page.loaded() ?? page.Late)
  return <Page params={params} />
}
