// The gates of a new member, as an open list, and when they open for the member.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import type { Gate } from '@callgate/contract/rest/gate'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useSpace } from '../client/session.tsx'
import { Card } from '../kit/Card.tsx'
import { sentenceText } from '../schedule/sentence.ts'
import { TemplateMenu } from '../templates/TemplateMenu.tsx'
import { type Preset, presetOf } from '../templates/templateForm.ts'
import { wallNow } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { type AccessValues, newAccess } from './memberDraft.ts'
import { hasPreset, type PresetName, presetBy, presetNames } from './presets.ts'
import './GateChoice.css'

/** The presets as buttons, and the hours of the pressed one as a sentence. */
function When(props: {
  readonly presets: readonly { readonly name: PresetName; readonly preset: Preset }[]
  readonly isPicked: (preset: Preset) => boolean
  readonly pick: (preset: Preset) => void
  readonly pickTemplate: (template: AccessTemplate) => void
}) {
  const { isPicked, pick, pickTemplate, presets } = props
  const words = useWords()
  const says = lateTexts(words).given
  const picked = presets.find(({ preset }) => isPicked(preset))
  const once = picked?.name === 'once' ? says.once : ''
  // What opens always needs no sentence.
  const sentence = picked?.name === 'always' ? '' : picked && sentenceText(picked.preset.schedules, words)
  const hours = `${sentence ?? says.own} ${once}`.trim()
  return (
    <fieldset className="group">
      <legend className="editor-label">{says.when}</legend>
      <div className="preset-choice day-choice">
        {presets.map(({ name, preset }) => (
          <button key={name} type="button" aria-pressed={isPicked(preset)} onClick={() => pick(preset)}>
            {says.presets[name]}
          </button>
        ))}
      </div>
      <TemplateMenu pick={pickTemplate} />
      <p className="small quiet preset-says">{hours}</p>
    </fieldset>
  )
}

/** Hours and cap are given to all chosen gates at once; the card of each gate below changes them for one. */
export function GateChoice(props: {
  readonly accesses: readonly AccessValues[]
  readonly gates: readonly Gate[]
  readonly nowMs: number
  readonly change: (accesses: readonly AccessValues[]) => void
}) {
  const { accesses, change, nowMs } = props
  const words = useWords()
  const says = lateTexts(words).given
  const { timezone } = useSpace().space
  const now = wallNow(nowMs, timezone) ?? new Date(nowMs).toISOString()
  const presets = presetNames.map(name => ({ name, preset: presetBy(name, timezone, now.slice(0, 10)) }))
  const [last, setLast] = useState<Preset>(presetBy('always', timezone, now.slice(0, 10)))
  const gates = props.gates.filter(({ isActive }) => isActive)
  const isGiven = (gateId: string) => accesses.some(access => access.gateId === gateId)

  /** The accesses to the chosen gates, in the order of the list; a gate that is added gets `preset`. */
  const accessesTo = (isChosen: (gateId: string) => boolean, preset: Preset) =>
    gates
      .filter(({ id }) => isChosen(id))
      .map(
        ({ id }) => accesses.find(({ gateId }) => gateId === id) ?? { ...newAccess(id, timezone), ...preset },
      )
  const toggle = (gateId: string) => change(accessesTo(id => (id === gateId) !== isGiven(id), last))
  /** Gives the preset to the gates of which `isOf` says so. */
  function pick(preset: Preset, isOf = isGiven) {
    setLast(preset)
    const chosen = accessesTo(gateId => isGiven(gateId) || isOf(gateId), preset)
    change(chosen.map(access => (isOf(access.gateId) ? { ...access, ...preset } : access)))
  }
  function pickTemplate(template: AccessTemplate) {
    const { gateIds } = template
    pick(presetOf(template, now), gateIds.length === 0 ? isGiven : id => gateIds.includes(id))
  }
  const isPicked = (preset: Preset) =>
    accesses.length === 0
      ? JSON.stringify(last) === JSON.stringify(preset)
      : accesses.every(access => hasPreset(access, preset))
  return (
    <Card title={says.title}>
      {gates.length === 0 ? (
        <p className="quiet">{words.member.access.noGates}</p>
      ) : (
        <>
          <fieldset className="group gate-choice" aria-label={says.title}>
            {gates.map(({ id, location, name }) => (
              <Checkbox
                key={id}
                size="md"
                label={name}
                {...(location !== '' && { description: location })}
                checked={isGiven(id)}
                onChange={() => toggle(id)}
              />
            ))}
          </fieldset>
          <p className="small quiet gates-none">{accesses.length === 0 ? says.none : ''}</p>
          <When presets={presets} isPicked={isPicked} pick={pick} pickTemplate={pickTemplate} />
        </>
      )}
    </Card>
  )
}
