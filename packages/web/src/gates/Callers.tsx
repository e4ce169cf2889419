// The gateways of a gate: which would call now, whose numbers its module has to know, and which of them may call.

import { NativeSelect, Switch } from '@mantine/core'
import { useState } from 'react'
import type { Failure, Success } from '../client/client.ts'
import { useChange, useRead } from '../client/reading.tsx'
import { arriveAt } from '../kit/arrival.ts'
import { CopyButton } from '../kit/CopyButton.tsx'
import { icons } from '../kit/icons.tsx'
import { sayProblem } from '../words/problems.ts'
import { type Reader, sayWhen } from './gateWords.ts'
import { LetIn } from './LetIn.tsx'
import { readEveryMs } from './useGateReader.ts'

type CallingGateway = Success<'getGateCallers'>['body']['callers'][number]
type Known = CallingGateway['numberKnown']
type CallerOpening = Pick<Success<'getGateFigures'>['body']['callers'][number], 'gatewayId' | 'openedAt'>
type Change = { readonly mayCall: boolean } | { readonly numberKnown: Known }

/** The answer to a change, and the reading on which the change was based. */
interface Saved {
  readonly after: unknown
  readonly callers: readonly CallingGateway[]
  readonly etag: string | undefined
}

/** Those that would call, in their order, then the others. */
const inOrder = (callers: readonly CallingGateway[]) =>
  [...callers].sort((one, other) => (one.now.turn ?? Infinity) - (other.now.turn ?? Infinity) || 0)

/** Whether the gateway would call now, or why not. */
function sayTurn({ mayCall, now, numberKnown }: CallingGateway, { words }: Reader): string {
  const says = words.gate.callers
  if (!mayCall) return says.mayNot
  if (numberKnown === 'no') return says.notKnown
  if (now.turn === null) return says.offline
  return now.hasFailed ? `${says.turn(now.turn)}. ${says.failed}` : says.turn(now.turn)
}

/** The settings of one gateway. It shows the saved values, and below them a failure. */
function Settings(props: {
  readonly caller: CallingGateway
  readonly reader: Reader
  readonly change: (change: Change) => Promise<Failure | undefined>
}) {
  const { caller, change, reader } = props
  const { mayCall, name, numberKnown } = caller
  const says = reader.words.gate.callers
  const [wanted, setWanted] = useState<Change>()
  const [failure, setFailure] = useState<Failure>()
  const shown = { mayCall, numberKnown, ...wanted }
  async function go(next: Change) {
    setWanted(next)
    setFailure(await change(next))
    setWanted(undefined)
  }
  // A second change waits for the answer to the first.
  const disabled = wanted !== undefined
  return (
    <div className="caller-settings">
      <Switch
        label={says.may}
        aria-label={says.mayOf(name)}
        checked={shown.mayCall}
        disabled={disabled}
        onChange={event => void go({ mayCall: event.currentTarget.checked })}
      />
      <NativeSelect
        label={says.known}
        aria-label={says.knownOf(name)}
        value={shown.numberKnown}
        disabled={disabled}
        data={(Object.keys(says.knownNames) as Known[]).map(value => ({
          value,
          label: says.knownNames[value],
        }))}
        onChange={event => void go({ numberKnown: event.currentTarget.value as Known })}
      />
      <span role="alert" className="small caller-failed">
        {failure && sayProblem(failure, reader.words, { network_error: says.noAnswer })}
      </span>
    </div>
  )
}

function CallerRow(props: {
  readonly caller: CallingGateway
  readonly openedAt: string | null
  readonly reader: Reader
  readonly change: (change: Change) => Promise<Failure | undefined>
}) {
  const { caller, change, openedAt, reader } = props
  const { callerNumber, name, now } = caller
  const { words } = reader
  const says = words.gate
  const isWell = now.turn !== null && !now.hasFailed
  return (
    <li>
      <span className={isWell ? 'tone-open' : 'tone-look'}>
        {isWell ? <icons.opened size={18} /> : <icons.uncalibrated size={18} />}
      </span>
      <span className="opening-says">
        <b>{callerNumber ?? says.numberUnknown}</b>
        <span className="small">{sayTurn(caller, reader)}</span>
        <span className="small quiet">
          {openedAt === null ? says.neverSeen(name) : says.seen(name, sayWhen(openedAt, reader))}
        </span>
      </span>
      {callerNumber !== null && (
        <CopyButton label={`${words.frame.copy} ${callerNumber}`} text={callerNumber} isIcon />
      )}
      <Settings caller={caller} reader={reader} change={change} />
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
  const { etag, value } = read
  if (!value) return null
  // The answer to a change is shown, and is the base of the next change, until the gateways are read again.
  const newest = saved?.after === value ? saved : { callers: value.callers, etag }
  const { callers } = newest
  const changeOf = (gatewayId: string) => async (change: Change) => {
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
            openedAt={seen.find(({ gatewayId }) => gatewayId === caller.gatewayId)?.openedAt ?? null}
            reader={reader}
            change={changeOf(caller.gatewayId)}
          />
        ))}
      </ul>
      <LetIn callers={callers} gate={gate} reader={reader} />
    </section>
  )
}
