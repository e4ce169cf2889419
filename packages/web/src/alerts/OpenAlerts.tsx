// The open alerts as banners: what is wrong, since when, what to check, and a link.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Incident } from '@callgate/contract/app/incident'
import { Link } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { firstOf, pageOf, type Reader, saySince, sayWhat, toneOf } from './alertWords.ts'
import './alerts.css'

/** The interval of reading while no events come, in milliseconds. */
const everyMs = 30_000
/** The number of alerts at the top of another page. */
const mostOnTop = 3

/** The open alerts. */
export const useIncidents = () => useRead('listIncidents', {}, { everyMs })

function AlertBanner({ incident, reader }: { readonly incident: Incident; readonly reader: Reader }) {
  const { space } = useSpace()
  const says = reader.words.alerts
  const what = sayWhat(incident, reader)
  return (
    <Banner
      tone={toneOf(incident)}
      title={`${what}.`}
      action={
        <Link className="link target" href={pageOf(incident, space.id)}>
          {says.look}
          <span className="heard"> {what}</span>
        </Link>
      }
    >
      {saySince(incident, reader)} {says.kinds[incident.kind].check}
    </Banner>
  )
}

export function AlertList(props: {
  readonly incidents: readonly Incident[]
  readonly reader: Reader
  readonly children?: React.ReactNode
}) {
  const { children, incidents, reader } = props
  return (
    <section className="alerts" aria-label={reader.words.alerts.open}>
      <ul>
        {incidents.map(incident => (
          <li key={incident.id}>
            <AlertBanner incident={incident} reader={reader} />
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

/** At the top of another page; shows nothing where nothing is wrong. `fits` selects the alerts for that page. */
export function AlertsOnTop({
  fits = () => true,
  reader,
}: {
  readonly fits?: (incident: Incident) => boolean
  readonly reader: Reader
}) {
  const { space } = useSpace()
  const read = useIncidents()
  const incidents = read.value?.incidents.filter(fits) ?? []
  if (incidents.length === 0) return null
  const { more, shown } = firstOf(incidents, mostOnTop)
  return (
    <AlertList incidents={shown} reader={reader}>
      {more > 0 && (
        <Link className="link" href={hrefOf(dashboardPaths.alerts, { spaceId: space.id })}>
          {reader.words.alerts.more(more)}
        </Link>
      )}
    </AlertList>
  )
}
