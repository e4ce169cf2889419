// Sending the set-up message by a gateway: the button, the question with the module's password, and the result.

import type { LastSetUpSms } from '@callgate/contract/app/setUpSms'
import { type ModuleBrandId, moduleBrands } from '@callgate/contract/call/setUpMessage'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { textFor } from '../words/known.ts'
import { sayNumber } from '../words/number.ts'
import { simTexts } from '../words/simTexts.ts'
import { type Reader, sayWhen } from './gateWords.ts'
import { letInTexts } from './letInTexts.ts'

/** The interval of reading during the wait for an answer, in milliseconds. */
const everyMs = { sending: 2_000, usual: 30_000 }

interface SetUpTarget {
  readonly gateId: string
  readonly gatewayId: string
  readonly brandId: ModuleBrandId
  /** What is typed already. */
  readonly typed: { readonly password: string; readonly place: string }
}

/** The password is stored only while the dialog is open. */
function SendDialog(
  props: SetUpTarget & { readonly reader: Reader; readonly number: string; readonly close: () => void },
) {
  const { brandId, close, gateId, gatewayId, number, reader, typed } = props
  const { words } = reader
  const { passwordWrong, placeHint, sending: says } = letInTexts(words)
  const brand = moduleBrands[brandId]
  const hasPlace = brand.place !== null
  const isPlaceNext = hasPlace && typed.place === ''
  const focus = { 'data-autofocus': true } as const
  const send = useChange('sendSetUpSms')
  const form = useForm({
    start: { values: { ...typed }, etag: undefined },
    fields: {
      place: {
        label: says.place,
        hint: placeHint,
        check: value => (brand.place === null || brand.place.test(value) ? undefined : placeHint),
        input: { inputMode: 'numeric', autoComplete: 'off', ...(isPlaceNext && focus) },
      },
      password: {
        label: says.password,
        hint: says.passwordHint,
        check: value => (brand.password.test(value) ? undefined : passwordWrong),
        isPassword: true,
        input: { autoComplete: 'off', ...(!isPlaceNext && focus) },
      },
    },
    held: [],
    send: ({ values: { password, place } }) => {
      const body = { gatewayId, brand: brandId, password, place: hasPlace ? place : null }
      return send({ params: { gateId }, body })
    },
    done: close,
  })
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.does}
      doing={says.asking}
      trouble={{ title: words.confirm.notDone }}
      close={close}
    >
      <p>{says.means(brand.name, sayNumber(number))}</p>
      {hasPlace && <FormField form={form} name="place" />}
      <FormField form={form} name="password" />
    </FormDialog>
  )
}

/** The result of the last message. */
function Last({ last, reader }: { readonly last: LastSetUpSms; readonly reader: Reader }) {
  const says = letInTexts(reader.words).sending
  const when = sayWhen(last.at, reader)
  if (last.state === 'sending')
    return (
      <Banner tone="call" title={says.running}>
        {says.runningWhy}
      </Banner>
    )
  const why = textFor(simTexts(reader.words).reasons, last.reason) ?? last.says
  if (last.state === 'not_done')
    return (
      <Banner tone="shut" title={says.notSent(when)}>
        {why}
      </Banner>
    )
  const title = last.sent === 'yes' ? says.sent(when) : says.unknown(when)
  // An answer may be a no.
  const tone = last.answer && last.sent === 'yes' ? 'call' : 'look'
  return (
    <Banner tone={tone} title={title}>
      {last.answer ? says.answered(last.answer.text) : (why ?? says.noAnswer)}
    </Banner>
  )
}

export function SendSetUp(props: SetUpTarget & { readonly reader: Reader; readonly number: string }) {
  const { gateId, gatewayId, reader } = props
  const says = letInTexts(reader.words).sending
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
          <Button isWide onClick={() => setAsked(true)}>
            {says.open}
          </Button>
        </div>
      )}
      {isAsked && <SendDialog {...props} close={() => setAsked(false)} />}
    </div>
  )
}
