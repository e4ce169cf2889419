// Adds, changes or removes one template; the whole list is saved with it.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { limits } from '@callgate/contract/limits'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { isWhole as isNumber } from '../form/checks.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import type { Fields } from '../form/fields.ts'
import { type Form, useForm } from '../form/useForm.ts'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { isCap } from '../members/memberBody.ts'
import { ScheduleList } from '../schedule/ScheduleTabs.tsx'
import { formOf, isWhole, newForm, type ScheduleForm, scheduleOf } from '../schedule/scheduleForm.ts'
import { templateTexts } from '../templates/templateTexts.ts'
import { useWords, type Words } from '../words/words.tsx'

interface TemplateValues {
  readonly name: string
  readonly gateIds: readonly string[]
  readonly schedules: readonly ScheduleForm[]
  /** The typed texts; empty: none. */
  readonly endsAfterDays: string
  readonly maxUsage: string
}

const typed = (value: number | null) => (value === null ? '' : String(value))
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

function valuesOf(template: AccessTemplate | undefined, timezone: string): TemplateValues {
  if (!template)
    return { name: '', gateIds: [], schedules: [newForm(timezone)], endsAfterDays: '', maxUsage: '' }
  const { endsAfterDays, gateIds, maxUsage, name, schedules } = template
  return {
    name,
    gateIds,
    schedules: schedules.map(formOf),
    endsAfterDays: typed(endsAfterDays),
    maxUsage: typed(maxUsage),
  }
}

const templateOf = ({ endsAfterDays, gateIds, maxUsage, name, schedules }: TemplateValues) => ({
  name: name.trim(),
  gateIds: [...gateIds],
  schedules: schedules.map(scheduleOf),
  endsAfterDays: numberOf(endsAfterDays),
  maxUsage: numberOf(maxUsage),
})

/** `others` are the names of the other templates. */
function templateFields(words: Words, others: readonly string[]): Fields<TemplateValues> {
  const says = templateTexts(words)
  const { endsAfterDays, name } = limits.template
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return {
    name: {
      label: says.name,
      limit: name,
      missing: words.form.nameMissing,
      check: text =>
        others.some(other => other.toLowerCase() === text.trim().toLowerCase()) ? says.nameTaken : undefined,
      input: { autoComplete: 'off', 'data-autofocus': true },
    },
    gateIds: {},
    // The editor says what is wrong.
    schedules: { check: forms => (forms.every(isWhole) ? undefined : says.notSaved) },
    endsAfterDays: {
      label: says.endsAfter,
      hint: says.endsAfterHint,
      check: text =>
        text.trim() === '' || isNumber(text, endsAfterDays)
          ? undefined
          : says.endsAfterWrong(endsAfterDays.most),
      input: number,
    },
    maxUsage: {
      label: words.member.access.cap,
      hint: words.member.access.capHint,
      check: text => (isCap(text) ? undefined : words.member.access.capWrong),
      input: number,
    },
  }
}

function Gates({ form }: { readonly form: Form<TemplateValues> }) {
  const says = templateTexts(useWords())
  const gates = useRead('listGates', {}).value?.gates ?? []
  const { gateIds } = form.values
  return (
    <fieldset className="group">
      <legend className="editor-label">{says.gates}</legend>
      <p className="small quiet">{says.gatesHint}</p>
      <div className="template-gates">
        {gates.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={gateIds.includes(id)}
            onChange={event =>
              form.type({
                gateIds: event.currentTarget.checked
                  ? [...gateIds, id]
                  : gateIds.filter(other => other !== id),
              })
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

/** The question before a template is removed: the others are saved. */
function Removal(props: {
  readonly name: string
  readonly others: readonly AccessTemplate[]
  readonly etag: string | undefined
  readonly done: () => void
  readonly close: () => void
}) {
  const { close, done, etag, name, others } = props
  const says = templateTexts(useWords())
  const save = useChange('saveAccessTemplates')
  return (
    <AskDialog
      title={says.removeTitle(name)}
      does={says.remove}
      doing={says.removing}
      means={says.removeMeans}
      isDanger
      go={() => save({ body: { templates: [...others] }, ifMatch: etag })}
      done={done}
      close={close}
    />
  )
}

export function TemplateDialog(props: {
  readonly templates: readonly AccessTemplate[]
  /** Its place in the list; after the last one: a new one. */
  readonly place: number
  readonly etag: string | undefined
  readonly close: () => void
}) {
  const { close, etag, place } = props
  // As they were when the dialog opened: another admin's change is met by If-Match.
  const [templates] = useState(props.templates)
  const words = useWords()
  const says = templateTexts(words)
  const { timezone } = useSpace().space
  const save = useChange('saveAccessTemplates')
  const edited = templates[place]
  const others = templates.filter((_, at) => at !== place)
  const [start] = useState({ values: valuesOf(edited, timezone), etag })
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm({
    start,
    fields: templateFields(
      words,
      others.map(({ name }) => name),
    ),
    send: ({ ifMatch, values }) =>
      save({ body: { templates: templates.toSpliced(place, 1, templateOf(values)) }, ifMatch }),
    done: close,
  })
  if (edited && isRemoving)
    return (
      <Removal name={edited.name} others={others} etag={etag} done={close} close={() => setRemoving(false)} />
    )
  return (
    <FormDialog
      form={form}
      title={edited ? says.editTitle(edited.name) : says.addTitle}
      does={says.save}
      doing={says.saving}
      trouble={{ title: says.notSaved }}
      close={close}
    >
      <FormField form={form} name="name" />
      <Gates form={form} />
      <ScheduleList
        forms={form.values.schedules}
        isSent={form.isSent}
        timezone={timezone}
        hasNoBounds
        change={schedules => form.type({ schedules })}
      />
      <FormField form={form} name="endsAfterDays" />
      <FormField form={form} name="maxUsage" />
      {edited && (
        <div>
          <Button look="quiet" icon={<icons.remove size={18} />} onClick={() => setRemoving(true)}>
            {says.remove}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
