// What all chosen members get: the gate, the hours, the cap and the mails.

import type { MemberAct } from '@callgate/contract/app/memberActs'
import type { Gate } from '@callgate/contract/rest/gate'
import { Checkbox, TextInput } from '@mantine/core'
import { useSpace } from '../client/session.tsx'
import { ChoiceField } from '../kit/Field.tsx'
import { ScheduleList } from '../schedule/ScheduleTabs.tsx'
import { TemplateMenu } from '../templates/TemplateMenu.tsx'
import { presetOf } from '../templates/templateForm.ts'
import { wallNow } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { isCap } from './memberBody.ts'
import { type AccessValues, newAccess } from './memberDraft.ts'
import { useAccessReader } from './useAccessClock.ts'

export interface EditValues {
  /** Empty: each access that a member has. */
  readonly gateId: string
  /** The hours and the cap; its gate is not looked at. */
  readonly access: AccessValues
  readonly sendsMails: boolean
}

const activeOf = (gates: readonly Gate[]) => gates.filter(({ isActive }) => isActive)

/** The first gate, at any time. */
export function firstEdit(act: MemberAct, gates: readonly Gate[], timezone: string): EditValues {
  const gateId = act === 'add_gate' ? (activeOf(gates)[0]?.id ?? '') : ''
  return { gateId, access: newAccess(gateId, timezone), sendsMails: false }
}

export function EditFields(props: {
  readonly act: MemberAct
  readonly gates: readonly Gate[]
  readonly edit: {
    readonly values: EditValues
    readonly isSent: boolean
    readonly type: (values: EditValues) => void
  }
}) {
  const { act, edit, gates } = props
  const words = useWords()
  const says = lateTexts(words).edit
  const { cap, capHint, capWrong } = words.member.access
  const { isSent, type, values } = edit
  const { access, gateId } = values
  const { timezone } = useSpace().space
  const { nowMs } = useAccessReader()
  const isAdding = act === 'add_gate'
  const choices = (isAdding ? activeOf(gates) : gates).map(({ id, name }) => ({ value: id, label: name }))
  const put = (changed: Partial<AccessValues>) => type({ ...values, access: { ...access, ...changed } })
  return (
    <>
      <ChoiceField
        label={says.gate}
        value={gateId}
        change={chosen => type({ ...values, gateId: chosen })}
        choices={isAdding ? choices : [{ value: '', label: says.eachGate }, ...choices]}
      />
      <TemplateMenu pick={template => put(presetOf(template, wallNow(nowMs, timezone) ?? ''))} />
      <ScheduleList
        forms={access.schedules}
        isSent={isSent}
        timezone={timezone}
        change={schedules => put({ schedules })}
      />
      {isAdding && (
        <>
          <TextInput
            label={cap}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            value={access.maxUsage}
            onChange={event => put({ maxUsage: event.currentTarget.value })}
            {...(isCap(access.maxUsage) ? { description: capHint } : { error: capWrong })}
          />
          <Checkbox
            label={says.sendMails}
            checked={values.sendsMails}
            onChange={event => type({ ...values, sendsMails: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  )
}
