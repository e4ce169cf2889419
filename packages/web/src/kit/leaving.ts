// Leaving: what is typed and not saved holds the page. Links, the back button, and closing the tab then ask first.

import { createContext, useCallback, useContext, useLayoutEffect } from 'react'
import { type AroundNavHandler, useLocation } from 'wouter'

export interface Leaving {
  /** Something is typed, until the answered function is called. */
  hold(): () => void
  /** Does what would lose it, once a person agrees; at once where nothing is typed. */
  askFirst(goOn: () => void): void
  /** Goes to another page without a question. */
  freely(go: () => void): void
  /** Wraps every way to another page that the program goes itself. */
  readonly aroundNav: AroundNavHandler
  /** Listens to the browser, until the answered function is called. It has to begin before the router does. */
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

  /** The back button, or the one forward: the address is another one already, and the page is still as it was. */
  function onMoved(event: PopStateEvent): void {
    const isSame = new URL(here).pathname === location.pathname
    if (held === 0 || isFree || isSame) {
      isFree = false
      here = location.href
      return
    }
    // The router does not hear of it. An entry more leads one step further than where the person wanted to.
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

/** While `isTyped`, nothing leads away from the page without a question. */
export function useTyped(isTyped: boolean): void {
  const { hold } = useLeaving()
  // In the same step as the form: after a save, the back button must not find it held still.
  useLayoutEffect(() => (isTyped ? hold() : undefined), [hold, isTyped])
}

/** Asks before something that would lose what is typed. */
export function useAskFirst(): (goOn: () => void) => void {
  return useLeaving().askFirst
}

/** Leads to another page after what was typed has been saved or thrown away. */
export function useGoFreely(): (...to: Parameters<ReturnType<typeof useLocation>[1]>) => void {
  const { freely } = useLeaving()
  const [, go] = useLocation()
  return useCallback((...to) => freely(() => go(...to)), [freely, go])
}
