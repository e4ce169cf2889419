// The pages in the rail and in the tab bar of a phone, with a dot beside each that needs attention.

import { Link, useLocation } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useWords } from '../words/words.tsx'
import { type Destination, destinations, hrefOf } from './navigation.ts'

/** The pages that need attention, with the reason: a gateway is offline, an incident is open. */
function useAlarms(): Partial<Record<Destination['name'], string>> {
  const words = useWords().frame
  const gateways = useRead('listGateways', {})
  const incidents = useRead('listIncidents', {})
  const isWrong = (incidents.value?.total ?? 0) > 0
  const isAway = gateways.value?.gateways.some(
    ({ now }) => now.state === 'offline' || now.state === 'cut_off',
  )
  return {
    ...(isAway && { gateways: words.gatewayAway }),
    ...(isWrong && { alerts: words.alertOpen }),
  }
}

export function Destinations({ isTabBar }: { readonly isTabBar: boolean }) {
  const words = useWords().frame
  const { space } = useSpace()
  const [here] = useLocation()
  const alarms = useAlarms()
  const isAt = (path: string) => {
    const href = hrefOf(path, { spaceId: space.id })
    return here === href || here.startsWith(`${href}/`)
  }
  const shown = destinations.filter(({ isTabOf }) => !(isTabBar && isTabOf))
  return (
    <nav className={isTabBar ? 'tab-bar' : 'rail-pages'} aria-label={words.navigation}>
      {shown.map(({ icon: Icon, name, path }) => {
        const href = hrefOf(path, { spaceId: space.id })
        const tabs = isTabBar ? destinations.filter(({ isTabOf }) => isTabOf === name) : []
        const isHere = [path, ...tabs.map(tab => tab.path)].some(isAt)
        const alarm = [name, ...tabs.map(tab => tab.name)].map(one => alarms[one]).find(Boolean)
        return (
          <Link key={name} href={href} className="rail-page" aria-current={isHere ? 'page' : undefined}>
            <Icon size={isTabBar ? 22 : 20} />
            <span>{words.pages[name]}</span>
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
