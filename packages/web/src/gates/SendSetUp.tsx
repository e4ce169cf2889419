// Letting a gateway send the set-up message itself: the button, the question with the module's password, and what came of it.

import type { LastSetUpSms } from '@callgate/contract/app/setUpSms'
import { type ModuleBrandId, moduleBrands, wrongGiven } from '@callgate/contract/call/setUpMessage'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange, useRead } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field, PasswordField } from '../kit/Field.tsx'
import { textFor } from '../words/known.ts'
import { sayProblem } from '../words/problems.ts'
import { type Reader, sayWhen } from './gateWords.ts'

/** How often it is read, milliseconds: an answer is waited for. */
const everyMs = { sending: 2_000, usual: 30_000 }

interface Asked {
  readonly gateId: string
  readonly gatewayId: string
  readonly brandId: ModuleBrandId
}

/** The password is kept only while the dialog is open. */
function SendDialog(
  props: Asked & { readonly reader: Reader; readonly number: string; readonly close: () => void },
) {
  const { brandId, close, gateId, gatewayId, number, reader } = props
  const { words } = reader
  const says = words.letIn.sending
  const brand = moduleBrands[brandId]
  const hasPlace = brand.place !== null
  const send = useChange('sendSetUpSms')
  const { confirmed, dialog } = useConfirmation()
  const [password, setPassword] = useState('')
  const [place, setPlace] = useState('')
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const given = { password, place: hasPlace ? place : null }
  async function go() {
    setSent(true)
    if (wrongGiven(brandId, given)) return
    setBusy(true)
    setFailure(undefined)
    const body = { gatewayId, brand: brandId, ...given }
    const result = await confirmed(() => send({ params: { gateId }, body }))
    if (result?.ok) return close()
    setBusy(false)
    setFailure(result)
  }
  if (dialog) return dialog
  return (
    <Dialog
      title={says.title}
      does={says.does}
      look="filled"
      busy={isBusy ? says.asking : undefined}
      close={close}
      go={() => void go()}
    >
      <p>{says.means(brand.name, number)}</p>
      {hasPlace && (
        <Field
          label={says.place}
          hint={says.placeHint}
          value={place}
          change={setPlace}
          check={typed => (brand.place?.test(typed) ? undefined : says.placeHint)}
          isSent={isSent}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
      )}
      <PasswordField
        label={says.password}
        hint={says.passwordHint}
        value={password}
        change={setPassword}
        check={typed => (brand.password.test(typed) ? undefined : says.passwordWrong)}
        isSent={isSent}
        input={{ autoComplete: 'off' }}
      />
      <div role="alert">
        {failure && (
          <Banner tone="shut" title={words.confirm.notDone}>
            {sayProblem(failure, words)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

/** What became of the last message. */
function Last({ last, reader }: { readonly last: LastSetUpSms; readonly reader: Reader }) {
  const says = reader.words.letIn.sending
  const when = sayWhen(last.at, reader)
  if (last.state === 'sending')
    return (
      <Banner tone="open" title={says.running}>
        {says.runningWhy}
      </Banner>
    )
  const why = textFor(reader.words.sim.reasons, last.reason) ?? last.says
  if (last.state === 'not_done')
    return (
      <Banner tone="shut" title={says.notSent(when)}>
        {why}
      </Banner>
    )
  const title = last.sent === 'yes' ? says.sent(when) : says.unknown(when)
  const tone = last.answer && last.sent === 'yes' ? 'open' : 'look'
  return (
    <Banner tone={tone} title={title}>
      {last.answer ? says.answered(last.answer.text) : (why ?? says.noAnswer)}
    </Banner>
  )
}

export function SendSetUp(props: Asked & { readonly reader: Reader; readonly number: string }) {
  const { gateId, gatewayId, reader } = props
  const says = reader.words.letIn.sending
  const [isAsked, setAsked] = useState(false)
  const [isSending, setSending] = useState(false)
  const rate = isSending ? everyMs.sending : everyMs.usual
  const read = useRead('getSetUpSms', { params: { gateId } }, { everyMs: rate, liveEveryMs: rate })
  const one = read.value?.gateways.find(gateway => gateway.gatewayId === gatewayId)
  const isSendingNow = one?.last?.state === 'sending'
  if (isSendingNow !== isSending) setSending(isSendingNow)
  if (!read.value || !one) return null
  const { leftToday } = read.value
  return (
    <div className="let-in-send" aria-live="polite">
      {one.last && <Last last={one.last} reader={reader} />}
      {!one.canSend && <p className="small quiet">{says.cannot}</p>}
      {one.canSend && leftToday === 0 && <p className="small quiet">{says.tooMany}</p>}
      {one.canSend && leftToday > 0 && !isSendingNow && (
        <div>
          <Button onClick={() => setAsked(true)}>{says.open}</Button>
        </div>
      )}
      {isAsked && <SendDialog {...props} close={() => setAsked(false)} />}
    </div>
  )
}
