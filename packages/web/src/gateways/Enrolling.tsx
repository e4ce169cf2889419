// The enrolment of a gateway: its code waits for it, its fingerprint is compared, and the page waits until it is online.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import { useChange, useRead } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { type Fact, Facts } from '../kit/Facts.tsx'
import { Skeleton } from '../kit/states.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'
import { CodeShown } from './CodeShown.tsx'
import { EnrolmentProgress } from './EnrolmentProgress.tsx'
import { useEnrolmentTexts } from './enrolmentTexts.ts'

type Started = AppAnswerOf<'startEnrolment'>['body']

/** The interval of reading, because a person at the gateway waits. Milliseconds. */
const everyMs = 2_000
const often = { everyMs, liveEveryMs: everyMs }

interface StepProps {
  readonly enrolment: EnrolmentView
  readonly close: () => void
}

/** Refuses the gateway, or cancels the code. */
function useRefusal({ id }: EnrolmentView) {
  const refuse = useChange('refuseEnrolment')
  const { failure, isBusy, send } = useSending()
  return { isBusy, failure, go: () => void send(() => refuse({ params: { enrolmentId: id } })) }
}

function Waiting({ close, enrolment, started }: StepProps & { readonly started: Started | undefined }) {
  const says = useEnrolmentTexts()
  const refusal = useRefusal(enrolment)
  return (
    <Dialog
      title={says.codeTitle(enrolment.name)}
      does={says.later}
      look="outlined"
      isHeld={started !== undefined && enrolment.state === 'waiting'}
      isDone
      close={close}
      go={close}
    >
      <p role="status" className="enrol-waits">
        {enrolment.state === 'waiting' ? says.waiting : says.taken}
      </p>
      {started && enrolment.state === 'waiting' && <CodeShown started={started} />}
      <EnrolmentProgress enrolment={enrolment} gateway={undefined} />
      <Button look="quiet" busy={refusal.isBusy ? says.takingBack : undefined} onClick={refusal.go}>
        {says.takeBack}
      </Button>
      <Trouble form={refusal} title={says.notDone} />
    </Dialog>
  )
}

function OfGateway({ gateway }: Pick<EnrolmentView, 'gateway'>) {
  const { facts } = useEnrolmentTexts()
  const rows: readonly Fact[] = [
    [facts.serial, gateway?.serial],
    [facts.model, gateway?.model],
    [facts.imei, gateway?.imei],
    [facts.version, gateway?.version],
  ]
  return <Facts rows={rows} />
}

function Comparing({ close, enrolment, fingerprint }: StepProps & { readonly fingerprint: string }) {
  const says = useEnrolmentTexts()
  const confirm = useChange('confirmEnrolment')
  const { asksWho, failure, isBusy, send } = useSending()
  const refusal = useRefusal(enrolment)
  const params = { enrolmentId: enrolment.id }
  const go = () => void send(() => confirm({ params, body: { fingerprint } }))
  if (asksWho) return asksWho
  return (
    <Dialog
      title={says.compareTitle}
      does={says.same}
      busy={isBusy ? says.admitting : undefined}
      close={close}
      go={go}
    >
      <div role="status">
        <p>{says.compare}</p>
        <p className="mono enrol-fingerprint">{`${fingerprint.slice(0, 3)} ${fingerprint.slice(3)}`}</p>
      </div>
      <OfGateway gateway={enrolment.gateway} />
      <p className="quiet">{says.ifOther}</p>
      <Button look="danger" busy={refusal.isBusy ? says.refusing : undefined} onClick={refusal.go}>
        {says.differ}
      </Button>
      <Trouble form={{ failure: failure ?? refusal.failure }} title={says.notDone} />
    </Dialog>
  )
}

function Admitted({ close, enrolment }: StepProps) {
  const says = useEnrolmentTexts()
  const params = { gatewayId: enrolment.gatewayId ?? '' }
  const read = useRead('getGateway', { params }, often)
  const isOnline = read.value?.gateway.now.state === 'online'
  return (
    <Dialog title={says.admittedTitle(enrolment.name)} does={says.done} isDone close={close} go={close}>
      <div role="status">
        {isOnline ? (
          <Banner tone="open">{says.online}</Banner>
        ) : (
          <p className="enrol-waits">{says.admitted}</p>
        )}
      </div>
      <EnrolmentProgress enrolment={enrolment} gateway={read.value?.gateway} />
    </Dialog>
  )
}

function Ended({ close, enrolment }: StepProps) {
  const says = useEnrolmentTexts()
  const { ends } = says
  const { name, state } = enrolment
  return (
    <Dialog title={says.endTitle(name)} does={says.done} isDone close={close} go={close}>
      <p role="status">{ends[state as keyof typeof ends]}</p>
    </Dialog>
  )
}

/** `started`: the code was made just now, and is shown. */
export function Enrolling(props: {
  readonly enrolmentId: string
  readonly started?: Started
  readonly close: () => void
}) {
  const { close, enrolmentId, started } = props
  const says = useEnrolmentTexts()
  const { frame } = useWords()
  const read = useRead('getEnrolment', { params: { enrolmentId } }, often)
  const enrolment = read.value?.enrolment ?? started?.enrolment
  if (!enrolment)
    return (
      <Dialog title={frame.reading} does={says.done} isDisabled close={close} go={close}>
        <Skeleton bars={[120]} />
      </Dialog>
    )
  const fingerprint = enrolment.gateway?.fingerprint ?? null
  if (enrolment.state === 'confirmed') return <Admitted enrolment={enrolment} close={close} />
  if (enrolment.state === 'pending' && fingerprint !== null)
    return <Comparing enrolment={enrolment} fingerprint={fingerprint} close={close} />
  if (enrolment.state === 'waiting' || enrolment.state === 'pending')
    return <Waiting enrolment={enrolment} started={started} close={close} />
  return <Ended enrolment={enrolment} close={close} />
}
