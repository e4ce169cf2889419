// The numbers that the module of a gate has to know: one for each gateway.

import type { Success } from '../client/client.ts'
import { CopyButton } from '../kit/CopyButton.tsx'
import { icons } from '../kit/icons.tsx'
import { type Reader, sayWhen } from './gateWords.ts'

type Caller = Success<'getGateFigures'>['body']['callers'][number]

export function Callers({
  callers,
  reader,
}: {
  readonly callers: readonly Caller[]
  readonly reader: Reader
}) {
  const { words } = reader
  const says = words.gate
  return (
    <section className="card callers">
      <h2>{says.numbers}</h2>
      <p className="small quiet">{callers.length === 0 ? says.noNumbers : says.numbersWhy}</p>
      <ul>
        {callers.map(({ callerNumber, gatewayId, name, openedAt }) => (
          <li key={gatewayId}>
            <span className={openedAt === null ? 'tone-look' : 'tone-open'}>
              {openedAt === null ? <icons.uncalibrated size={18} /> : <icons.opened size={18} />}
            </span>
            <span className="opening-says">
              <b>{callerNumber ?? says.numberUnknown}</b>
              <span className="small quiet">
                {openedAt === null ? says.neverSeen(name) : says.seen(name, sayWhen(openedAt, reader))}
              </span>
            </span>
            {callerNumber !== null && (
              <CopyButton label={`${words.frame.copy} ${callerNumber}`} text={callerNumber} isIcon />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
