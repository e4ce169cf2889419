// The usual hours of a new member, given by one press.

import { anotherForm, newForm } from '../schedule/scheduleForm.ts'
import type { Preset } from '../templates/templateForm.ts'
import { dayBeside } from '../words/time.ts'
import type { AccessValues } from './memberDraft.ts'

export const presetNames = ['always', 'weekdays', 'today', 'once'] as const
export type PresetName = (typeof presetNames)[number]

/** `today` is a day in the zone. `once` is one opening at any time. */
export function presetBy(name: PresetName, timezone: string, today: string): Preset {
  const form = newForm(timezone)
  switch (name) {
    case 'always':
      return { schedules: [form], maxUsage: '' }
    case 'weekdays':
      return { schedules: [anotherForm(timezone)], maxUsage: '' }
    case 'today':
      return { schedules: [{ ...form, expiresAt: `${dayBeside(today, 1)}T00:00` }], maxUsage: '' }
    case 'once':
      return { schedules: [form], maxUsage: '1' }
  }
}

/** Whether an access has these hours and this cap. */
export function hasPreset({ maxUsage, schedules }: AccessValues, preset: Preset): boolean {
  return JSON.stringify([schedules, maxUsage]) === JSON.stringify([preset.schedules, preset.maxUsage])
}
