import { expect, it } from 'vitest'
import { sentenceText } from '../schedule/sentence.ts'
import { en } from '../words/en.ts'
import { newAccess } from './memberDraft.ts'
import { hasPreset, presetBy, presetNames } from './presets.ts'

const zone = 'Europe/Bucharest'
const given = (name: (typeof presetNames)[number]) => presetBy(name, zone, '2026-12-31')

it('gives the hours and the cap that each name says', () => {
  expect(presetNames.map(name => [sentenceText(given(name).schedules, en), given(name).maxUsage])).toEqual([
    ['Any time.', ''],
    ['Monday to Friday 08:00–18:00.', ''],
    ['Any time until the end of 31 December 2026.', ''],
    ['Any time.', '1'],
  ])
})

it('recognises an access that has them, until its hours are changed', () => {
  const access = { ...newAccess('gate_1', zone), ...given('today') }
  expect(presetNames.filter(name => hasPreset(access, given(name)))).toEqual(['today'])
  expect(hasPreset({ ...access, maxUsage: '3' }, given('today'))).toBe(false)
})
