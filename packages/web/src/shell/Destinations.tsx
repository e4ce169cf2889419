// The pages in the rail and in the tab bar of a phone, with a note beside each where there is one.

import { Link, useLocation } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { count as sayCount } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { type Destination, destinations, hrefOf } from './navigation.ts'

/** The number of gates, whether a gateway is offline, and whether an incident is open. */
function useNotes(): Partial<
  Record<Destination['name'], { readonly count?: number; readonly alarm?: string }>
> {
  const words = useWords().frame
  const gates = useRead('listGates', {})
  const gateways = useRead('listGateways', {})
  const incidents = useRead('listIncidents', {})
  const count = gates.value?.gates.length
  const isWrong = (incidents.value?.total ?? 0) > 0
  const isAway = gateways.value?.gateways.some(
    ({ now }) => now.state === 'offline' || now.state === 'cut_off',
  )
  return {
    ...(count !== undefined && count > 0 && { gates: { count } }),
    ...(isAway && { gateways: { alarm: words.gatewayAway } }),
    ...(isWrong && { alerts: { alarm: words.alertOpen } }),
  }
}

export function Destinations({ isTabBar }: { readonly isTabBar: boolean }) {
  const { frame: words, locale } = useWords()
  const { space } = useSpace()
  const [here] = useLocation()
  const notes = useNotes()
  const shown = destinations.filter(({ isInRailOnly }) => !(isTabBar && isInRailOnly))
  return (
    <nav className={isTabBar ? 'tab-bar' : 'rail-pages'} aria-label={words.navigation}>
      {shown.map(({ icon: Icon, name, path }) => {
        const href = hrefOf(path, { spaceId: space.id })
        const isHere = here === href || here.startsWith(`${href}/`)
        const { alarm, count } = notes[name] ?? {}
        return (
          <Link key={name} href={href} className="rail-page" aria-current={isHere ? 'page' : undefined}>
            <Icon size={isTabBar ? 22 : 20} />
            <span>{words.pages[name]}</span>
            {count !== undefined && <span className="rail-count">{sayCount(count, locale)}</span>}
            {alarm !== undefined && (
              <span className="rail-alarm">
                <span className="heard">{alarm}</span>
              </span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
