// The templates of accesses: what each gives, and the dialog that adds or changes one.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { limits } from '@callgate/contract/limits'
import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { formOf } from '../schedule/scheduleForm.ts'
import { sentenceText } from '../schedule/sentence.ts'
import { templateTexts } from '../templates/templateTexts.ts'
import { useWords } from '../words/words.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { TemplateDialog } from './TemplateDialog.tsx'

function Row(props: { readonly template: AccessTemplate; readonly edit: () => void }) {
  const { edit, template } = props
  const words = useWords()
  const says = templateTexts(words)
  const gates = useRead('listGates', {}).value?.gates ?? []
  const { endsAfterDays, gateIds, maxUsage, name, schedules } = template
  const named = gates.filter(({ id }) => gateIds.includes(id)).map(gate => gate.name)
  const parts = [
    gateIds.length === 0 ? says.anyGate : new Intl.ListFormat(words.locale).format(named),
    endsAfterDays === null ? says.noEnd : says.days(endsAfterDays),
    maxUsage === null ? words.member.access.noCap : words.member.access.usesOf(String(maxUsage)),
  ]
  return (
    <li className="card template">
      <div>
        <h3>{name}</h3>
        <p>{sentenceText(schedules.map(formOf), words)}</p>
        <p className="small quiet">{parts.join('\u00a0· ')}</p>
      </div>
      <Button aria-label={says.editOf(name)} onClick={edit}>
        {says.edit}
      </Button>
    </li>
  )
}

export function TemplatesPage() {
  const words = useWords()
  const says = templateTexts(words)
  const read = useRead('listAccessTemplates', {})
  const { value } = read
  // The place of the edited one; one more than there are: a new one.
  const [place, setPlace] = useState<number>()
  const size = value?.templates.length ?? 0
  const isFull = size >= limits.template.templates.most
  const add = value && !isFull && (
    <Button look="filled" icon={<icons.add size={20} />} onClick={() => setPlace(size)}>
      {says.add}
    </Button>
  )
  return (
    <SettingsFrame part="accessTemplates" title={says.title} says={says.says} action={size > 0 && add}>
      <NotRead what={says.what} of={read} />
      {!value && !read.failure && <Skeleton bars={[90, 91]} />}
      {value && size === 0 && (
        <Empty title={says.none} action={add}>
          {says.noneWhy}
        </Empty>
      )}
      {value && size > 0 && (
        <ul className="templates">
          {value.templates.map((template, at) => (
            <Row key={template.name} template={template} edit={() => setPlace(at)} />
          ))}
        </ul>
      )}
      {isFull && <p className="small quiet">{says.full(size)}</p>}
      {value && place !== undefined && (
        <TemplateDialog
          templates={value.templates}
          place={place}
          etag={read.etag}
          close={() => setPlace(undefined)}
        />
      )}
    </SettingsFrame>
  )
}
