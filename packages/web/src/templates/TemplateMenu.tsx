// The button that takes hours, end and cap from a template of the Space.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { Menu } from '@mantine/core'
import { useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { useWords } from '../words/words.tsx'
import { templateTexts } from './templateTexts.ts'

interface Picking {
  /** Which ones are offered; absent: all. */
  readonly fits?: (template: AccessTemplate) => boolean
  readonly pick: (template: AccessTemplate) => void
}

const useTemplates = ({ fits = () => true }: Picking) =>
  useRead('listAccessTemplates', {}).value?.templates.filter(fits) ?? []

function Items({ pick, templates }: Picking & { readonly templates: readonly AccessTemplate[] }) {
  return templates.map(template => (
    <Menu.Item key={template.name} onClick={() => pick(template)}>
      {template.name}
    </Menu.Item>
  ))
}

/** The templates as a part of another menu, where there is one to pick. */
export function TemplateItems(props: Picking) {
  const says = templateTexts(useWords())
  const templates = useTemplates(props)
  if (templates.length === 0) return null
  return (
    <>
      <Menu.Label>{says.take}</Menu.Label>
      <Items {...props} templates={templates} />
      <Menu.Divider />
    </>
  )
}

/** Shown where there is a template to pick. */
export function TemplateMenu(props: Picking & { readonly label?: string }) {
  const { label } = props
  const says = templateTexts(useWords())
  const templates = useTemplates(props)
  if (templates.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button look="soft">{label ?? says.take}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Items {...props} templates={templates} />
      </Menu.Dropdown>
    </Menu>
  )
}
