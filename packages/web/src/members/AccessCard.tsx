// The card of one access: the hours in words and as a week, their editor, the uses, and the switch.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import type { AccessView } from '@callgate/contract/app/appMember'
import { Menu, Switch, TextInput } from '@mantine/core'
import { createElement, type ReactNode, useId, useState } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { NextTimes } from '../schedule/NextTimes.tsx'
import { ScheduleEditor } from '../schedule/ScheduleEditor.tsx'
import { ScheduleTabs } from '../schedule/ScheduleTabs.tsx'
import { anotherForm, type ScheduleForm } from '../schedule/scheduleForm.ts'
import { namesOf, sentenceOf, sentenceText } from '../schedule/sentence.ts'
import { Week } from '../schedule/Week.tsx'
import { TemplateItems } from '../templates/TemplateMenu.tsx'
import { presetOf } from '../templates/templateForm.ts'
import { wallNow } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { isCap } from './memberBody.ts'
import { type AccessValues, accessValuesOf, hasSameAccess } from './memberDraft.ts'
import './AccessCard.css'

interface AccessCardProps {
  readonly access: AccessValues
  readonly gateName: string
  /** The access as it was last read; undefined for a new one. */
  readonly view: AccessView | undefined
  /** For a member who does not exist yet: the access cannot be switched off. */
  readonly isOfNewMember: boolean
  readonly isOpenAtFirst: boolean
  readonly isSent: boolean
  readonly timezone: string
  readonly nowMs: number
  /** Another person's changes to this access, in words. */
  readonly theirs: ReactNode
  readonly change: (access: AccessValues) => void
  readonly remove: () => void
}

function Cap({ access, change, view }: Pick<AccessCardProps, 'access' | 'change' | 'view'>) {
  const says = useWords().member.access
  return (
    <TextInput
      className="access-cap"
      label={says.cap}
      inputMode="numeric"
      autoComplete="off"
      maxLength={9}
      value={access.maxUsage}
      onChange={event => change({ ...access, maxUsage: event.currentTarget.value })}
      {...(isCap(access.maxUsage)
        ? { description: view ? says.capUsed(view.usageCount) : says.capHint }
        : { error: says.capWrong })}
    />
  )
}

function Body(props: AccessCardProps) {
  const { access, change, isSent, nowMs, timezone, view } = props
  const words = useWords()
  const [chosen, setPicked] = useState(access.schedules.length - 1)
  const forms = access.schedules
  const picked = Math.min(chosen, forms.length - 1)
  const form = forms[picked]
  const withForms = (schedules: readonly ScheduleForm[]) => change({ ...access, schedules })
  function add() {
    setPicked(forms.length)
    withForms([...forms, anotherForm(timezone)])
  }
  return (
    <>
      <div className={access.isActive ? 'access-week' : 'access-week access-week-off'}>
        <Week forms={forms} picked={picked} nowMs={nowMs} />
      </div>
      <div className="access-edit">
        <ScheduleTabs forms={forms} picked={picked} isSent={isSent} pick={setPicked} add={add} />
        <div className="access-columns">
          {form && (
            <ScheduleEditor
              key={picked}
              form={form}
              isSent={isSent}
              change={changed => withForms(forms.with(picked, changed))}
              remove={
                forms.length > 1
                  ? {
                      name: namesOf(forms, words)[picked] ?? '',
                      go: () => withForms(forms.toSpliced(picked, 1)),
                    }
                  : undefined
              }
            />
          )}
          <NextTimes
            forms={forms}
            isActive={access.isActive}
            isSaved={view !== undefined && hasSameAccess(accessValuesOf(view), access)}
          />
        </div>
        <Cap access={access} change={change} view={view} />
      </div>
    </>
  )
}

/** What is seldom done with an access: to take its hours from a template, and to remove it. */
function More({ access, change, gateName, nowMs, remove, timezone }: AccessCardProps) {
  const words = useWords()
  const take = (template: AccessTemplate) =>
    change({ ...access, ...presetOf(template, wallNow(nowMs, timezone) ?? '') })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={lateTexts(words).moreOf(gateName)}>
          <icons.dots />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <TemplateItems pick={take} />
        <Menu.Item leftSection={<icons.remove size={16} />} onClick={remove}>
          {words.member.access.remove(gateName)}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The hours as a sentence, with emphasis on the times. */
function Sentence({ forms }: { readonly forms: readonly ScheduleForm[] }) {
  const words = useWords()
  return sentenceOf(forms, words).flatMap(({ isStrong, text }, place) => [
    place > 0 ? ' ' : '',
    isStrong ? createElement('b', { key: place }, text) : text,
  ])
}

/** `7 of 10 uses left`, with the typed cap. */
function useUses({ access, view }: Pick<AccessCardProps, 'access' | 'view'>): string {
  const says = useWords().member.access
  const cap = access.maxUsage.trim()
  if (cap === '') return says.noCap
  if (!isCap(cap)) return ''
  return says.usesLeft(Math.max(0, Number(cap) - (view?.usageCount ?? 0)), Number(cap))
}

export function AccessCard(props: AccessCardProps) {
  const { access, change, gateName, isOfNewMember, isOpenAtFirst } = props
  const words = useWords()
  const says = words.member.access
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const uses = useUses(props)
  const id = useId()
  return (
    <section className="card access" aria-labelledby={id}>
      <header className="access-head">
        <div className="access-names">
          <h2 id={id}>{gateName}</h2>
          {!isOpen && (
            <p className="small quiet">
              {sentenceText(access.schedules, words).replace(/\.$/, '')}, {uses}
            </p>
          )}
        </div>
        {isOpen && (
          <span className="small quiet access-uses">{access.maxUsage.trim() === '' ? '' : uses}</span>
        )}
        {!isOfNewMember && (
          <Switch
            aria-label={says.switch(gateName)}
            checked={access.isActive}
            onChange={event => change({ ...access, isActive: event.currentTarget.checked })}
          />
        )}
        <More {...props} />
        <button
          type="button"
          className="access-fold"
          aria-expanded={isOpen}
          aria-label={says.unfold(gateName)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <icons.openedUp /> : <icons.closed />}
        </button>
      </header>
      {isOpen && (
        <p className="access-sentence">
          <Sentence forms={access.schedules} />
        </p>
      )}
      {!access.isActive && <p className="small access-off">{says.off}</p>}
      {props.theirs}
      {isOpen && <Body {...props} />}
    </section>
  )
}
