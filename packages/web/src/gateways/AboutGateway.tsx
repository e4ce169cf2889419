// The facts about a gateway: its modem, its work, its number and key, with the ways to change it and to revoke it.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { Reader } from '../gates/gateWords.ts'
import { Button } from '../kit/Button.tsx'
import { type Fact, Facts } from '../kit/Facts.tsx'
import { updateTexts } from '../updates/updateTexts.ts'
import { sayNumber } from '../words/number.ts'
import { shortDate } from '../words/time.ts'
import { Details } from './Details.tsx'
import { useEnrolmentTexts } from './enrolmentTexts.ts'
import { sayDuration, sayLacks, sayModem, shortVersion } from './gatewayWords.ts'

export function AboutGateway(props: {
  readonly gateway: GatewayView
  readonly reader: Reader
  readonly edit: () => void
  readonly replace: () => void
  readonly newPassword: () => void
  readonly shutOut: () => void
}) {
  const { edit, gateway, newPassword, reader, replace, shutOut } = props
  const { callerNumber, enrolledAt, name, now, publicKey } = gateway
  const { facts, form, noNumber, ...says } = reader.words.gateways
  const { replace: replaceIt } = useEnrolmentTexts()
  const openings = (count: number | null) =>
    count === null || count === 0 ? facts.nothing : facts.openings(count)
  const isKnown = now.lastHeardAt !== null
  const isOut = now.state === 'revoked'
  const rows: readonly Fact[] = [
    isKnown && [facts.modem, sayModem(now.modem)],
    now.modem !== null &&
      now.modem.lacks.length > 0 && [facts.lacks, sayLacks(now.modem.lacks, reader.words)],
    now.version !== null && [updateTexts(reader.words).title, shortVersion(now.version)],
    now.state === 'online' && now.uptimeS !== null && [facts.running, sayDuration(now.uptimeS, reader)],
    [facts.enrolled, shortDate(enrolledAt, reader.times)],
    // Else the SIM card says it.
    isOut && [facts.number, callerNumber === null ? noNumber : sayNumber(callerNumber)],
  ]
  const details: readonly Fact[] = [
    now.state === 'online' && [facts.working, openings(now.queueLength)],
    isKnown && [facts.toReport, openings(now.toReport)],
  ]
  return (
    <section className="card gateway-about">
      <div className="gateway-about-head">
        <h2>{says.about(name)}</h2>
        {!isOut && <Button onClick={edit}>{form.edit}</Button>}
      </div>
      <Facts rows={rows} />
      {!isOut && (
        <div className="button-row">
          <button type="button" className="link" onClick={replace}>
            {replaceIt}
          </button>
          <button type="button" className="link" onClick={newPassword}>
            {says.password.open}
          </button>
          <button type="button" className="link gateway-shut-out" onClick={shutOut}>
            {says.shutOut}
          </button>
        </div>
      )}
      <Details>
        <Facts rows={details}>
          <div className="fact fact-long">
            <dt className="quiet">{facts.key}</dt>
            <dd className="mono">{publicKey}</dd>
          </div>
        </Facts>
      </Details>
    </section>
  )
}
