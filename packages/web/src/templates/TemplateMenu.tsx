// The button that takes hours, end and cap from a template of the Space.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { Menu } from '@mantine/core'
import { useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { useWords } from '../words/words.tsx'
import { templateTexts } from './templateTexts.ts'

/** Shown where there is a template to pick. `fits`: which ones are offered; absent: all. */
export function TemplateMenu(props: {
  readonly label?: string
  readonly fits?: (template: AccessTemplate) => boolean
  readonly pick: (template: AccessTemplate) => void
}) {
  const { fits = () => true, label, pick } = props
  const says = templateTexts(useWords())
  const templates = useRead('listAccessTemplates', {}).value?.templates.filter(fits) ?? []
  if (templates.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button look="soft">{label ?? says.take}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {templates.map(template => (
          <Menu.Item key={template.name} onClick={() => pick(template)}>
            {template.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
