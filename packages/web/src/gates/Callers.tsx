// The gateways of a gate, two lines each: the number that its module has to know, and whether it would call now.

import { useState } from 'react'
import type { Success } from '../client/client.ts'
import { useChange, useRead } from '../client/reading.tsx'
import { arriveAt } from '../kit/arrival.ts'
import { icons } from '../kit/icons.tsx'
import { sayNumber } from '../words/number.ts'
import { type CallerChange, CallerSheet } from './CallerSheet.tsx'
import { type CallingGateway, sayShortTurn } from './callerWords.ts'
import type { Reader } from './gateWords.ts'
import { LetIn } from './LetIn.tsx'
import { readEveryMs } from './useGateReader.ts'

type CallerOpening = Pick<Success<'getGateFigures'>['body']['callers'][number], 'gatewayId' | 'openedAt'>

/** The answer to a change, and the reading on which the change was based. */
interface Saved {
  readonly after: unknown
  readonly callers: readonly CallingGateway[]
  readonly etag: string | undefined
}

/** Those that would call, in their order, then the others. */
const inOrder = (callers: readonly CallingGateway[]) =>
  [...callers].sort((one, other) => (one.now.turn ?? Infinity) - (other.now.turn ?? Infinity) || 0)

function CallerRow(props: {
  readonly caller: CallingGateway
  readonly reader: Reader
  readonly show: () => void
}) {
  const { caller, reader, show } = props
  const { callerNumber, name, now } = caller
  // Of an unknown number nobody can say that the module lets it in.
  const isWell = now.turn !== null && !now.hasFailed && callerNumber !== null
  return (
    <li>
      <button type="button" className="caller" aria-haspopup="dialog" onClick={show}>
        <span className={isWell ? 'tone-open' : 'tone-look'}>
          {isWell ? <icons.opened size={20} /> : <icons.uncalibrated size={20} />}
        </span>
        <span className="opening-says">
          <b>{name}</b>
          <span className="small quiet">
            {callerNumber === null ? reader.words.gate.numberUnknown : sayNumber(callerNumber)} ·{' '}
            {sayShortTurn(caller, reader.words)}
          </span>
        </span>
        <icons.next size={20} />
      </button>
    </li>
  )
}

const arrive = arriveAt('let-in')

export function Callers({
  gate,
  reader,
  seen,
}: {
  /** The gateway's number is that of its module. */
  readonly gate: { readonly id: string; readonly phoneNumber: string }
  readonly seen: readonly CallerOpening[]
  readonly reader: Reader
}) {
  const says = reader.words.gate
  const params = { gateId: gate.id }
  const read = useRead('getGateCallers', { params }, { everyMs: readEveryMs })
  const save = useChange('updateGateCallers')
  const [saved, setSaved] = useState<Saved>()
  const [shownId, setShownId] = useState<string>()
  const { etag, value } = read
  if (!value) return null
  // The answer to a change is shown, and is the base of the next change, until the gateways are read again.
  const newest = saved?.after === value ? saved : { callers: value.callers, etag }
  const { callers } = newest
  const shown = callers.find(({ gatewayId }) => gatewayId === shownId)
  const changeOf = (gatewayId: string) => async (change: CallerChange) => {
    const result = await save({ params, body: { gatewayId, ...change }, ifMatch: newest.etag })
    if (!result.ok) {
      read.readAgain()
      return result
    }
    setSaved({ after: value, callers: result.body.callers, etag: result.etag ?? undefined })
    return undefined
  }
  return (
    <section className="card callers" ref={arrive}>
      <h2>{says.callers.title}</h2>
      <p className="small quiet">{callers.length === 0 ? says.noNumbers : says.numbersWhy}</p>
      <ul>
        {inOrder(callers).map(caller => (
          <CallerRow
            key={caller.gatewayId}
            caller={caller}
            reader={reader}
            show={() => setShownId(caller.gatewayId)}
          />
        ))}
      </ul>
      <LetIn callers={callers} gate={gate} reader={reader} />
      {shown && (
        <CallerSheet
          caller={shown}
          openedAt={seen.find(({ gatewayId }) => gatewayId === shown.gatewayId)?.openedAt ?? null}
          reader={reader}
          change={changeOf(shown.gatewayId)}
          close={() => setShownId(undefined)}
        />
      )}
    </section>
  )
}
