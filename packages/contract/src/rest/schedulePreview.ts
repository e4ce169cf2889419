// Schedule previews: when schedules will allow an opening, by the core that decides.

import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { closed, instant, items, nullable, words } from '../text.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'
import { ScheduleInput } from './schedule.ts'

/** How many times a preview tells. */
export const previewedTimes = 10

const wall = (description: string) =>
  Type.String({
    description: `${description}, on the wall clock of \`timezone\``,
    examples: ['2026-03-27T22:00'],
  })

const Time = closed({
  from: instant('When it begins; now, where it goes on already'),
  to: nullable(instant('When it ends; null: never')),
  fromWall: wall('When it begins'),
  toWall: nullable(wall('When it ends')),
  isNow: Type.Boolean({ description: 'It goes on already' }),
  isAtLeast: Type.Boolean({
    description: 'It goes on beyond `to`, and finding out for how long would be too much work',
  }),
  clockChange: nullable(
    words(['forward', 'back'], { description: 'The clocks change within it; null: they do not' }),
  ),
})
export type PreviewedTime = Static<typeof Time>

const Preview = closed({
  timezone: Type.String({ description: "The zone of the schedules; the Space's where they have several" }),
  state: words(['coming', 'never', 'ended'], {
    description:
      '`coming`: `times` are the next. `never`: no time is allowed, now or later. `ended`: all schedules are over',
  }),
  times: Type.Array(Time, { maxItems: previewedTimes }),
})
export type Preview = Static<typeof Preview>

export const schedulePreviewOperations = {
  previewSchedules: operation(
    {
      ...routes.previewSchedules,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'Preview schedules',
      tag: 'Accesses',
      text: 'Tells the next times that they allow, and changes nothing. The schedules are judged as at an access: what is wrong is named.',
      body: closed({
        schedules: Type.Array(ScheduleInput, items(limits.access.schedules)),
      }),
      answers: { 200: Preview },
      problems: [],
      extension: true,
    },
    {
      params: {},
      body: { schedules: [{ type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] }] },
      answers: {
        200: {
          timezone: 'Europe/Bucharest',
          state: 'coming',
          times: [
            {
              from: '2026-01-05T06:00:00.000Z',
              to: '2026-01-05T16:00:00.000Z',
              fromWall: '2026-01-05T08:00',
              toWall: '2026-01-05T18:00',
              isNow: false,
              isAtLeast: false,
              clockChange: null,
            },
          ],
        },
      },
    },
  ),
}
