// One change of all chosen members: what is to change, then for whom it would and who is left out, then what has changed.

import type { MemberAct } from '@callgate/contract/app/memberActs'
import type { MemberEdit } from '@callgate/contract/app/memberEdit'
import type { Gate } from '@callgate/contract/rest/gate'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { NotRead } from '../kit/states.tsx'
import { isWhole, scheduleOf } from '../schedule/scheduleForm.ts'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import type { Named } from './chosenMembers.ts'
import { EditFields, type EditValues, firstEdit } from './EditFields.tsx'
import { lateTexts } from './lateTexts.ts'
import { isCap } from './memberBody.ts'
import { useFailureWords } from './useFailureWords.ts'
import { useKeyOf } from './useKeyOf.ts'

const hasFields = (act: MemberAct) => act === 'add_gate' || act === 'set_hours'

/** The request about these members, without whether it is tried. */
function bodyOf(act: MemberAct, memberIds: readonly string[], values: EditValues) {
  const { access, gateId, sendsMails } = values
  const schedules = access.schedules.map(scheduleOf)
  const cap = access.maxUsage.trim() === '' ? null : Number(access.maxUsage)
  return {
    memberIds: [...memberIds],
    act,
    sendsMails: act === 'add_gate' && sendsMails,
    ...(hasFields(act) && {
      access: {
        schedules,
        ...(gateId !== '' && { gateId }),
        ...(act === 'add_gate' && { maxUsage: cap }),
      },
    }),
  }
}

const isSendable = (act: MemberAct, { access }: EditValues) =>
  !hasFields(act) || (isCap(access.maxUsage) && access.schedules.every(isWhole))

/** What is typed, and what it would change. */
function useEdit(act: MemberAct, members: readonly Named[], first: EditValues) {
  const call = useCall()
  const change = useChange('editMembers')
  const keyOf = useKeyOf()
  const [values, setValues] = useState(first)
  const [plan, setPlan] = useState<MemberEdit>()
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  async function look(): Promise<Failure | undefined> {
    const memberIds = members.map(({ id }) => id)
    const result = await call('editMembers', { body: { ...bodyOf(act, memberIds, values), isDryRun: true } })
    if (result.ok) setPlan(result.body)
    return result.ok ? undefined : result
  }
  async function make({ members: planned, preview }: MemberEdit): Promise<Failure | undefined> {
    const memberIds = planned.filter(one => one.leftOut === null).map(({ memberId }) => memberId)
    const body = { ...bodyOf(act, memberIds, values), preview, isDryRun: false }
    const result = await change({ body, idempotencyKey: keyOf(body) })
    if (result.ok) setPlan(result.body)
    else if (result.code === 'conflict') await look()
    return result.ok ? undefined : result
  }
  async function run(step: () => Promise<Failure | undefined>): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    setFailure(await step())
    setBusy(false)
  }
  return {
    values,
    plan,
    isSent,
    isBusy,
    failure,
    type: setValues,
    back: () => setPlan(undefined),
    make: (shown: MemberEdit) => run(() => make(shown)),
    async look() {
      setSent(true)
      if (isSendable(act, values)) await run(look)
    },
  }
}

interface Noted {
  readonly id: string
  readonly name: string
  readonly note: string
}

/** The members of one kind, each with a note. */
function Names({ members, title }: { readonly title: string; readonly members: readonly Noted[] }) {
  if (members.length === 0) return null
  return (
    <>
      <h3 className="edit-title">{title}</h3>
      <ul className="edit-names">
        {members.map(({ id, name, note }) => (
          <li key={id}>
            {name}
            {note !== '' && <span className="quiet small"> {note}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** For whom the plan changes something, or has, and who is left out. */
function Planned({ act, gates, plan }: { act: MemberAct; gates: readonly Gate[]; plan: MemberEdit }) {
  const words = useWords()
  const says = lateTexts(words).edit
  const nameOf = (gateId: string) => gates.find(({ id }) => id === gateId)?.name ?? words.member.access.gone
  const all = (gateIds: readonly string[]) => new Intl.ListFormat(words.locale).format(gateIds.map(nameOf))
  const changed = plan.members.filter(({ leftOut }) => leftOut === null)
  const left = plan.members.flatMap(({ leftOut, memberId, name }) =>
    leftOut === null ? [] : [{ id: memberId, name, note: says.leftOut[leftOut] }],
  )
  const of = (size: number) => count(size, words.locale)
  return (
    <div role="status">
      {changed.length === 0 && <p>{says.nobody}</p>}
      <Names
        title={plan.isDone ? says.changed(of(changed.length)) : says.changes[act](of(changed.length))}
        members={changed.map(({ gateIds, memberId, name }) => ({ id: memberId, name, note: all(gateIds) }))}
      />
      {plan.mails > 0 && <p className="small quiet">{says.mails(of(plan.mails))}</p>}
      <Names title={says.left(of(left.length))} members={left} />
    </div>
  )
}

interface ChosenEdit {
  readonly act: MemberAct
  readonly members: readonly Named[]
  readonly close: () => void
  /** Runs once the members are changed. */
  readonly done: () => void
}

function Asking({ act, close, done, gates, members }: ChosenEdit & { readonly gates: readonly Gate[] }) {
  const words = useWords()
  const says = lateTexts(words).edit
  const { space } = useSpace()
  const edit = useEdit(act, members, firstEdit(act, gates, space.timezone))
  const { failure, isBusy, plan } = edit
  const sayFailure = useFailureWords()
  const changed = plan?.members.filter(({ leftOut }) => leftOut === null).length ?? 0
  const size = count(changed, words.locale)
  const finish = () => {
    done()
    close()
  }
  const isDone = plan?.isDone === true
  return (
    <Dialog
      title={isDone ? says.isDone : says.titles[act](count(members.length, words.locale))}
      does={isDone ? words.frame.close : plan ? says.does[act](size) : says.look}
      look={act === 'deactivate' && plan && !isDone ? 'danger' : 'filled'}
      busy={isBusy ? (plan ? says.doing : says.looking) : undefined}
      isDisabled={plan !== undefined && !isDone && changed === 0}
      isDone={isDone}
      close={isDone ? finish : close}
      go={() => (isDone ? finish() : void (plan ? edit.make(plan) : edit.look()))}
    >
      {!isDone && <p className="quiet">{says.why[act]}</p>}
      {!plan && hasFields(act) && <EditFields act={act} gates={gates} edit={edit} />}
      {plan && <Planned act={act} gates={gates} plan={plan} />}
      {plan && !isDone && hasFields(act) && (
        <div>
          <Button look="soft" disabled={isBusy} onClick={edit.back}>
            {says.back}
          </Button>
        </div>
      )}
      {failure && (
        <p className="editor-wrong" role="alert">
          {sayFailure(failure)}
        </p>
      )}
    </Dialog>
  )
}

export function EditDialog(asked: ChosenEdit) {
  const { gates } = useWords().member.access
  const read = useRead('listGates', {})
  return read.value ? <Asking {...asked} gates={read.value.gates} /> : <NotRead what={gates} of={read} />
}
