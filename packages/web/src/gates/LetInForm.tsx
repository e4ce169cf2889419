// The message that lets the number of a gateway into the module of a gate: its values, the message as it is sent, and the ways
// to send it.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import {
  type ModuleBrandId,
  messageToComplete,
  moduleBrandIds,
  moduleBrands,
  wrongGiven,
} from '@callgate/contract/call/setUpMessage'
import type { Gate } from '@callgate/contract/rest/gate'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Button, ButtonOut } from '../kit/Button.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { ChoiceField, Field } from '../kit/Field.tsx'
import { icons } from '../kit/icons.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { sayNumber } from '../words/number.ts'
import { gateFormTexts } from './gateFormTexts.ts'
import type { Reader } from './gateWords.ts'
import { letInTexts } from './letInTexts.ts'
import { SendSetUp } from './SendSetUp.tsx'
import './letIn.css'

export interface LetInProps {
  readonly gate: Pick<Gate, 'id' | 'phoneNumber'>
  readonly reader: Reader
  /** Called once somebody has said that the number is in the list. */
  readonly done?: () => void
  /** Opens the form for the number of a gateway; absent: a link leads to the gateway. */
  readonly typeNumber?: (() => void) | undefined
}

/** A gateway whose number is typed. */
export type Calling = Pick<GateCallerView, 'gatewayId' | 'name' | 'numberKnown'> & {
  readonly callerNumber: string
}

interface Typed {
  readonly password: string
  readonly place: string
}

/** The values of the message. An input that nothing fills in by itself: it is no password of the reader. */
function Values(props: {
  readonly brandId: ModuleBrandId
  readonly typed: Typed
  readonly change: (typed: Typed) => void
  readonly isTried: boolean
  readonly reader: Reader
}) {
  const { brandId, change, isTried, reader, typed } = props
  const says = letInTexts(reader.words)
  const { asDelivered, password, place } = moduleBrands[brandId]
  const input = { autoComplete: 'off', spellCheck: false }
  return (
    <>
      <Field
        label={says.password}
        value={typed.password}
        change={value => change({ ...typed, password: value })}
        check={value => (password.test(value) ? undefined : says.passwordWrong)}
        {...(asDelivered !== null && typed.password === asDelivered && { hint: says.asDelivered })}
        isSent={isTried}
        input={input}
      />
      {place !== null && (
        <Field
          label={says.place}
          value={typed.place}
          change={value => change({ ...typed, place: value })}
          check={value => (place.test(value) ? undefined : says.placeHint)}
          hint={says.placeHint}
          isSent={isTried}
          input={{ ...input, inputMode: 'numeric' }}
        />
      )}
    </>
  )
}

/** The button that says that the module has the number; what was said already stands in its place. */
function InList({ caller, done, gate, reader }: LetInProps & { readonly caller: Calling }) {
  const says = letInTexts(reader.words)
  const save = useChange('updateGateCallers')
  const { failure, isBusy, send } = useSending()
  async function say() {
    const body = { gatewayId: caller.gatewayId, numberKnown: 'yes' } as const
    const saved = await send(() => save({ params: { gateId: gate.id }, body }))
    if (saved?.ok) done?.()
  }
  if (caller.numberKnown === 'yes')
    return (
      <p className="let-in-known tone-open" role="status">
        <icons.check size={18} /> {says.isInList}
      </p>
    )
  return (
    <>
      <Button
        look="soft"
        icon={<icons.check size={18} />}
        busy={isBusy ? reader.words.frame.saving : undefined}
        onClick={() => void say()}
      >
        {says.inList}
      </Button>
      {failure && <Trouble form={{ failure }} title={gateFormTexts(reader.words).notSaved} />}
    </>
  )
}

/** The message as it is sent, and the ways to send it. */
function Message(props: LetInProps & { readonly caller: Calling; readonly brandId: ModuleBrandId }) {
  const { brandId, caller, gate, reader } = props
  const says = letInTexts(reader.words)
  const { asDelivered, notes, place, source } = moduleBrands[brandId]
  const [typed, setTyped] = useState<Typed>({ password: asDelivered ?? '', place: '' })
  const [isTried, setTried] = useState(false)
  const message = messageToComplete(brandId, caller.callerNumber, {
    password: typed.password || says.blank.password,
    place: typed.place || says.blank.place,
  })
  const given = { password: typed.password, place: place === null ? null : typed.place }
  const isWhole = wrongGiven(brandId, given) === undefined
  // Phones differ in the sign before the text: each skips the one that it does not know.
  const href = `sms:${gate.phoneNumber}?&body=${encodeURIComponent(message)}`
  const write = { icon: <icons.mail size={18} />, children: says.write } as const
  return (
    <>
      <div className="let-in-values">
        <Values brandId={brandId} typed={typed} change={setTyped} isTried={isTried} reader={reader} />
      </div>
      <div className="let-in-sms">
        <p className="let-in-bubble mono" aria-label={says.message} role="note">
          {message}
        </p>
        <p className="small quiet">
          {[
            says.goesTo(sayNumber(gate.phoneNumber)),
            ...notes.flatMap(note => (note === 'place' ? [] : [says.notes[note]()])),
          ].join(' ')}
        </p>
      </div>
      <div className="let-in-does">
        {isWhole ? (
          <ButtonOut {...write} look="filled" href={href} />
        ) : (
          <Button {...write} onClick={() => setTried(true)} />
        )}
        <CopyButton label={reader.words.frame.copy} text={message} />
        <InList {...props} />
      </div>
      <p className="small quiet">{says.source(source)}</p>
      <SendSetUp
        gateId={gate.id}
        gatewayId={caller.gatewayId}
        brandId={brandId}
        number={gate.phoneNumber}
        typed={typed}
        reader={reader}
      />
    </>
  )
}

/** The form for the gateways of a gate whose numbers are typed; there is at least one. */
export function LetInForm(props: LetInProps & { readonly callers: readonly [Calling, ...Calling[]] }) {
  const { callers, reader } = props
  const says = letInTexts(reader.words)
  const [gatewayId, setGatewayId] = useState('')
  const [brandId, setBrandId] = useState<ModuleBrandId>()
  const caller = callers.find(one => one.gatewayId === gatewayId) ?? callers[0]
  return (
    <div className="let-in-form">
      {callers.length > 1 && (
        <ChoiceField
          label={says.gateway}
          value={caller.gatewayId}
          change={setGatewayId}
          choices={callers.map(one => ({ value: one.gatewayId, label: one.name }))}
        />
      )}
      <ChoiceField
        label={says.brand}
        value={brandId ?? ''}
        change={value => setBrandId(moduleBrandIds.find(id => id === value))}
        choices={[
          { value: '', label: says.choose },
          ...moduleBrandIds.map(id => ({ value: id, label: moduleBrands[id].name })),
        ]}
      />
      {brandId ? (
        <Message key={`${caller.gatewayId} ${brandId}`} {...props} caller={caller} brandId={brandId} />
      ) : (
        <>
          <p className="small quiet">
            {says.other(sayNumber(caller.callerNumber).replaceAll(' ', '\u00a0'))}
          </p>
          <div className="let-in-does">
            <CopyButton
              label={`${reader.words.frame.copy} ${sayNumber(caller.callerNumber)}`}
              text={caller.callerNumber}
            />
            <InList {...props} caller={caller} />
          </div>
        </>
      )}
    </div>
  )
}
