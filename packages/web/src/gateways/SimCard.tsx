// The SIM card of a gateway: whether it works, what is left on it and until when, and what is to be done. The rest is folded.

import type { SimView } from '@callgate/contract/app/sim'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { type Reader, sayWhen } from '../gates/gateWords.ts'
import { Badge } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { type Fact, Facts } from '../kit/Facts.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { textFor } from '../words/known.ts'
import { sayNumber } from '../words/number.ts'
import { sayProblem } from '../words/problems.ts'
import { simTexts } from '../words/simTexts.ts'
import { wallDay } from '../words/time.ts'
import { Details } from './Details.tsx'
import { EditSim } from './EditSim.tsx'
import { shortVersion, simState } from './gatewayWords.ts'
import { sayAmount, sayMoney } from './simFields.ts'

/** The interval of reading during the wait for an answer, in milliseconds. */
const everyMs = { asking: 2_000, usual: 30_000 }

/** What everybody wants to know: what is left, and until when. */
function factsOf({ expiresOn, now: { answer } }: SimView, { times, words }: Reader): readonly Fact[] {
  const { facts } = simTexts(words)
  return [
    [facts.balance, answer?.balance ? sayMoney(answer.balance, times.locale) : facts.notKnown],
    expiresOn !== null && [facts.expiresOn, wallDay(expiresOn, times.locale)],
  ]
}

/** How that is known. */
function detailsOf({ code, now, warnBelow }: SimView, reader: Reader): readonly Fact[] {
  const { times, words } = reader
  const { facts } = simTexts(words)
  const { answer, spent } = now
  return [
    answer !== null && [facts.answer, answer.text],
    answer !== null && [facts.answered, sayWhen(answer.at, reader)],
    spent !== null && [facts.spent, sayMoney(spent, times.locale)],
    code !== null && [facts.code, code],
    warnBelow !== null && [facts.warnBelow, sayAmount(warnBelow, times.locale)],
  ]
}

/** The result of the last question, where it has no answer. */
function sayAsked({ now: { asked } }: SimView, { words }: Reader): string | undefined {
  if (asked?.state !== 'not_done') return undefined
  return textFor(simTexts(words).reasons, asked.reason) ?? asked.says ?? asked.reason ?? ''
}

/** Its network could be asked, and nobody has said how. */
const isToSet = ({ code, now: { canAsk } }: SimView) => canAsk && code === null

function Shown(props: {
  readonly gateway: GatewayView
  readonly sim: SimView
  readonly reader: Reader
  readonly edit: () => void
}) {
  const { edit, gateway, reader, sim } = props
  const { words } = reader
  const says = simTexts(words)
  const ask = useChange('askSim')
  const { asksWho, failure, send } = useSending()
  const { asked, canAsk, warnings } = sim.now
  const notDone = sayAsked(sim, reader)
  const isAsking = asked?.state === 'asking'
  const go = () => void send(() => ask({ params: { gatewayId: gateway.id } }))
  const details = detailsOf(sim, reader)
  const { callerNumber, now } = gateway
  const operator = now.modem?.operator
  const whyNot = now.version === null ? says.notYet : says.cannot(shortVersion(now.version))
  return (
    <>
      {asksWho}
      <Badge {...simState(gateway, reader, warnings.length > 0)} />
      <p className="sim-number quiet">
        {[callerNumber === null ? words.gateways.noNumber : sayNumber(callerNumber), operator]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {warnings.map(warning => (
        <div key={warning} className="sim-warning">
          <icons.alert size={18} />
          <b>{says.warnings[warning][0]}</b>
          <p className="small">{says.warnings[warning][1]}</p>
        </div>
      ))}
      <Facts rows={factsOf(sim, reader)} />
      {notDone !== undefined && <p className="small quiet">{says.notDone(notDone)}</p>}
      {isToSet(sim) && <p className="small quiet">{says.codeWhy}</p>}
      {!canAsk && <p className="small quiet">{whyNot}</p>}
      <div role="alert" className="small">
        {failure && sayProblem(failure, words)}
      </div>
      {canAsk && (
        <div className="button-row">
          <Button onClick={isToSet(sim) ? edit : go} busy={isAsking ? says.asking : undefined}>
            {isToSet(sim) ? says.setCode : says.ask}
          </Button>
        </div>
      )}
      {details.some(Boolean) && (
        <Details>
          <Facts rows={details} />
        </Details>
      )}
    </>
  )
}

export function SimCard({ gateway, reader }: { readonly gateway: GatewayView; readonly reader: Reader }) {
  const gatewayId = gateway.id
  const { words } = reader
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const read = useRead(
    'getSim',
    { params: { gatewayId } },
    {
      everyMs: isAsking ? everyMs.asking : everyMs.usual,
      liveEveryMs: isAsking ? everyMs.asking : everyMs.usual,
    },
  )
  const sim = read.value?.sim
  const isAskingNow = sim?.now.asked?.state === 'asking'
  if (isAskingNow !== isAsking) setAsking(isAskingNow)
  const edit = () => setEditing(true)
  return (
    <section className="card sim-card">
      <div className="gateway-about-head">
        <h2>{simTexts(words).title}</h2>
        {sim && !isToSet(sim) && <Button onClick={edit}>{words.gateways.form.edit}</Button>}
      </div>
      {read.failure && <NotRead what={simTexts(words).title} of={read} />}
      {!sim && !read.failure && <Skeleton bars={[20, 24]} />}
      {sim && <Shown gateway={gateway} sim={sim} reader={reader} edit={edit} />}
      {sim && isEditing && (
        <EditSim gatewayId={gatewayId} sim={sim} etag={read.etag} close={() => setEditing(false)} />
      )}
    </section>
  )
}
