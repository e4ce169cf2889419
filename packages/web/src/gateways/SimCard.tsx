// The SIM card of a gateway: its balance, its expiry, and the button that asks its network now.

import type { SimView } from '@callgate/contract/app/sim'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { type Reader, sayWhen } from '../gates/gateWords.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { type Fact, Facts } from '../kit/Facts.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { textFor } from '../words/known.ts'
import { sayProblem } from '../words/problems.ts'
import { simTexts } from '../words/simTexts.ts'
import { wallDay } from '../words/time.ts'
import { EditSim } from './EditSim.tsx'
import { sayAmount, sayMoney } from './simFields.ts'

/** The interval of reading during the wait for an answer, in milliseconds. */
const everyMs = { asking: 2_000, usual: 30_000 }

function factsOf({ code, expiresOn, now, warnBelow }: SimView, reader: Reader): readonly Fact[] {
  const { times, words } = reader
  const { facts } = simTexts(words)
  const { answer, spent } = now
  return [
    [facts.balance, answer?.balance ? sayMoney(answer.balance, times.locale) : facts.notKnown],
    answer !== null && [facts.answer, answer.text],
    answer !== null && [facts.answered, sayWhen(answer.at, reader)],
    spent !== null && [facts.spent, sayMoney(spent, times.locale)],
    [facts.code, code ?? facts.noCode],
    warnBelow !== null && [facts.warnBelow, sayAmount(warnBelow, times.locale)],
    expiresOn !== null && [facts.expiresOn, wallDay(expiresOn, times.locale)],
  ]
}

/** The result of the last question, where it has no answer. */
function sayAsked({ now: { asked } }: SimView, { words }: Reader): string | undefined {
  if (asked?.state !== 'not_done') return undefined
  return textFor(simTexts(words).reasons, asked.reason) ?? asked.says ?? asked.reason ?? ''
}

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
  return (
    <>
      {asksWho}
      {warnings.length > 0 && (
        <div className="sim-warnings">
          {warnings.map(warning => (
            <Banner key={warning} tone="look" title={says.warnings[warning][0]}>
              {says.warnings[warning][1]}
            </Banner>
          ))}
        </div>
      )}
      <Facts rows={factsOf(sim, reader)} />
      {notDone !== undefined && <p className="small quiet">{says.notDone(notDone)}</p>}
      <div role="alert" className="small">
        {failure && sayProblem(failure, words)}
      </div>
      {canAsk ? (
        <div className="button-row">
          <Button onClick={sim.code === null ? edit : go} busy={isAsking ? says.asking : undefined}>
            {sim.code === null ? says.setCode : says.ask}
          </Button>
        </div>
      ) : (
        <p className="small quiet">
          {gateway.now.version === null ? says.notYet : says.cannot(gateway.now.version.replace(/\+.*/, ''))}
        </p>
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
    <section className="card">
      <div className="gateway-about-head">
        <h2>{simTexts(words).title}</h2>
        {sim && <Button onClick={edit}>{words.gateways.form.edit}</Button>}
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
