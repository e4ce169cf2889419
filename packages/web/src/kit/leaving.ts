// Leaving: unsaved text holds the page, so links, the back button and closing the tab ask first.

import { createContext, useCallback, useContext, useLayoutEffect } from 'react'
import { type AroundNavHandler, useLocation } from 'wouter'

export interface Leaving {
  /** Something is typed, until the returned function is called. */
  hold(): () => void
  /** Carries out what would lose the text, once a person agrees; at once where nothing is typed. */
  askFirst(goOn: () => void): void
  /** Goes to another page without a question. */
  freely(go: () => void): void
  /** Wraps every navigation that the program starts itself. */
  readonly aroundNav: AroundNavHandler
  /** Listens to the browser, until the returned function is called. It must be called before the router starts. */
  listen(): () => void
}

/** `ask` shows the question; it calls `goOn` when a person agrees. */
export function createLeaving(ask: (goOn: () => void) => void): Leaving {
  let held = 0
  let isFree = false
  let here = location.href

  function freely(go: () => void): void {
    isFree = true
    go()
    isFree = false
  }
  const askFirst = (goOn: () => void) => (held > 0 && !isFree ? ask(goOn) : goOn())

  /** The back or forward button: the address has changed already, and the page has not. */
  function onMoved(event: PopStateEvent): void {
    const isSame = new URL(here).pathname === location.pathname
    if (held === 0 || isFree || isSame) {
      isFree = false
      here = location.href
      return
    }
    // The router is not told. An additional entry would lead one step further than the person wanted.
    event.stopImmediatePropagation()
    history.pushState(null, '', here)
    ask(() => {
      isFree = true
      history.back()
    })
  }
  const onClosed = (event: BeforeUnloadEvent) => {
    if (held > 0) event.preventDefault()
  }

  return {
    hold() {
      here = location.href
      held += 1
      return () => {
        held -= 1
      }
    },
    askFirst,
    freely,
    aroundNav(navigate, to, options) {
      const go = () => {
        navigate(to, options)
        here = location.href
      }
      if (new URL(to, here).pathname === location.pathname) go()
      else askFirst(() => freely(go))
    },
    listen() {
      addEventListener('popstate', onMoved)
      addEventListener('beforeunload', onClosed)
      return () => {
        removeEventListener('popstate', onMoved)
        removeEventListener('beforeunload', onClosed)
      }
    },
  }
}

export const Held = createContext<Leaving | undefined>(undefined)

function useLeaving(): Leaving {
  const leaving = useContext(Held)
  if (!leaving) throw new Error('There is no AskedLeaving above this component.')
  return leaving
}

/** While `isTyped`, every way to leave the page asks first. */
export function useTyped(isTyped: boolean): void {
  const { hold } = useLeaving()
  // In the same step as the form: after a save, the back button must not find the page still held.
  useLayoutEffect(() => (isTyped ? hold() : undefined), [hold, isTyped])
}

/** Asks before something that would lose typed text. */
export function useAskFirst(): (goOn: () => void) => void {
  return useLeaving().askFirst
}

/** Leads to another page after typed text was saved or discarded. */
export function useGoFreely(): (...to: Parameters<ReturnType<typeof useLocation>[1]>) => void {
  const { freely } = useLeaving()
  const [, go] = useLocation()
  return useCallback((...to) => freely(() => go(...to)), [freely, go])
}
