// A template of accesses as the values of a form, and as the hours and the cap of an access that is given today.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { formOf, type ScheduleForm } from '../schedule/scheduleForm.ts'
import { dayBeside } from '../words/time.ts'

/** What an access gets from a template. */
export interface Preset {
  readonly schedules: readonly ScheduleForm[]
  /** The text of the field; empty: no cap. */
  readonly maxUsage: string
}

/** Of an access that is given at `now`, a wall clock. It lasts to the end of its last day, of which today is the first. */
export function presetOf({ endsAfterDays, maxUsage, schedules }: AccessTemplate, now: string): Preset {
  const expiresAt = endsAfterDays === null ? '' : `${dayBeside(now.slice(0, 10), endsAfterDays)}T00:00`
  return {
    schedules: schedules.map(schedule => ({ ...formOf(schedule), expiresAt })),
    maxUsage: maxUsage === null ? '' : String(maxUsage),
  }
}
