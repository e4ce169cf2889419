// One round of calls with each generated client, as programs that compile against the generated code.

/** Each prints its results as JSON. The address and the key are in the environment. */
const start = `
const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env
const headers = { Authorization: \`Bearer \${apiKey}\` }
const name = 'Poarta 🚪 Nord'
const gate = { name, phoneNumber: '0722123456', location: 'Strada Lungă 12' }
const memberOf = (gateId: string) => ({
  name: 'Ana Pop 🚪',
  note: 'line\\nbreak',
  accesses: [
    {
      gateId,
      schedules: [
        { type: 'custom' as const, daysOfWeek: [5], timeWindows: [{ from: '22:00', to: '06:00' }] },
        { type: 'one-shot' as const, startsAt: null },
      ],
    },
  ],
})
`

const finish = `
process.stdout.write(JSON.stringify({ listed, schedule, failed, opening, activity }))
`

export const rounds: Readonly<Record<string, string>> = {
  openApiFetch: `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'
${start}
const client = createClient<paths>({ baseUrl, headers })
const made = await client.POST('/api/v1/gates', { body: gate })
const gateId = made.data?.gate.id ?? ''
const member = await client.POST('/api/v1/members', { body: memberOf(gateId) })
const schedule: components['schemas']['Schedule'] | undefined = member.data?.member.accesses[0]?.schedules[0]
const listed = (await client.GET('/api/v1/gates')).data?.gates.map(({ name }) => name)
const pressed = await client.POST('/api/v1/gates/{gateId}/open', { params: { path: { gateId } } })
const failed = pressed.error && 'reason' in pressed.error.error ? pressed.error.error.reason : undefined
const openings = await client.GET('/api/v1/openings', { params: { query: { limit: 1 } } })
const openingId = openings.data?.openings[0]?.id ?? ''
const one = await client.GET('/api/v1/openings/{openingId}', { params: { path: { openingId } } })
const opening = one.data?.evidence.reason
const activity = (await client.GET('/api/v1/activity')).data?.activity.map(({ action }) => action)
// @ts-expect-error: always has no windows
export const wrong: components['schemas']['ScheduleInput'] = { type: 'always', timeWindows: [{ from: '08:00', to: '09:00' }] }
${finish}`,
  heyApi: `
import { client } from './hey/client.gen'
import { createGate, createMember, getOpening, listActivity, listGates, listOpenings, openGate } from './hey/sdk.gen'
import type { ScheduleInput } from './hey/types.gen'
${start}
client.setConfig({ baseUrl, headers })
const made = await createGate({ body: gate })
const gateId = made.data?.gate.id ?? ''
const member = await createMember({ body: memberOf(gateId) })
const schedule = member.data?.member.accesses[0]?.schedules[0]
const listed = (await listGates()).data?.gates.map(({ name }) => name)
const pressed = await openGate({ path: { gateId } })
const failed = pressed.error && 'reason' in pressed.error.error ? pressed.error.error.reason : undefined
const openings = await listOpenings({ query: { limit: 1 } })
const openingId = openings.data?.openings[0]?.id ?? ''
const one = await getOpening({ path: { openingId } })
const opening = one.data?.evidence.reason
const activity = (await listActivity()).data?.activity.map(({ action }) => action)
// @ts-expect-error: custom needs days
export const wrong: ScheduleInput = { type: 'custom' }
${finish}`,
  orval: `
import * as api from './orval/fetch'
import * as zod from './orval/zod'
${start}
// The generated functions call paths without an address.
const plain = globalThis.fetch
globalThis.fetch = (path, init) => plain(new URL(String(path), baseUrl), { ...init, headers: { ...headers, ...Object(init?.headers) } })
const made = await api.createGate(zod.CreateGateBody.parse(gate))
const gateId = zod.CreateGateResponse.parse(made.data).gate.id
const member = await api.createMember(zod.CreateMemberBody.parse(memberOf(gateId)))
const schedule = zod.CreateMemberResponse.parse(member.data).member.accesses[0]?.schedules[0]
const listed = zod.ListGatesResponse.parse((await api.listGates()).data).gates.map(({ name }) => name)
const pressed = await api.openGate(gateId)
const failed = pressed.status === 502 ? pressed.data.error.reason : undefined
const openings = zod.ListOpeningsResponse.parse((await api.listOpenings({ limit: 1 })).data)
const openingId = openings.openings[0]?.id ?? ''
const opening = zod.GetOpeningResponse.parse((await api.getOpening(openingId)).data).evidence.reason
const activity = zod.ListActivityResponse.parse((await api.listActivity()).data).activity.map(({ action }) => action)
zod.ListMembersResponse.parse((await api.listMembers()).data)
zod.GetGateProfileResponse.parse((await api.getGateProfile(gateId)).data)
// @ts-expect-error: weekdays have no days of their own
export const wrong: api.ScheduleInput = { type: 'weekdays', daysOfWeek: [1] }
${finish}`,
}
