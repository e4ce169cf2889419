// Updates of gateways, for the dashboard: what is there for each, what an owner has allowed, and how the last one ended.

import Type, { type Static } from 'typebox'
import { GatewayId } from '../ids.ts'
import { updateCauses, updateStates, versionText } from '../releaseWords.ts'
import { closed, instant, nullable, openWords } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const time = (what: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: what, examples: ['02:00'] })

/** When updates may begin, by the clock of the Space. They may reach over midnight. */
export const UpdateHours = closed({
  from: time('The first minute'),
  to: time('The first minute after; another one than `from`'),
})
export type UpdateHours = Static<typeof UpdateHours>

export const GatewayUpdate = closed({
  gatewayId: GatewayId,
  version: nullable(Type.String({ description: 'Of its program, by its last beat' })),
  canUpdate: Type.Boolean({ description: 'Whether its program takes updates that the cloud asks for' }),
  offered: nullable(
    closed({ version: versionText, notes: nullable(Type.String({ description: 'What is new' })) }),
  ),
  allowed: nullable(closed({ version: versionText, at: instant('When an owner allowed it') })),
  askedAt: nullable(instant('When the gateway was asked, and has not told yet how it ended')),
  last: nullable(
    closed({
      version: versionText,
      state: openWords(updateStates),
      why: nullable(Type.String({ description: 'What the gateway says' })),
      cause: nullable(openWords(updateCauses, { description: 'The same as a word, where it tells one' })),
      at: instant('When the gateway told it'),
    }),
  ),
})
export type GatewayUpdate = Static<typeof GatewayUpdate>

const params = closed({ gatewayId: GatewayId })
const ofGateway = closed({ update: GatewayUpdate })

export const updateAppOperations = {
  listUpdates: appOperation({
    ...appRoutes.listUpdates,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the updates of the gateways',
    text: '`offered` is the newest version that the operator has released to this Space, where it is newer than the one that runs. `hours` is the standing leave of the Space.',
    answers: { 200: closed({ hours: nullable(UpdateHours), updates: Type.Array(GatewayUpdate) }) },
    problems: [],
  }),
  allowUpdate: appOperation({
    ...appRoutes.allowUpdate,
    role: 'owner',
    rateClass: 'write',
    summary: 'Let a gateway install the version that is offered',
    text: 'Once, and for this version. The gateway is asked when it is online; it switches between two calls, and goes back by itself when the new version does not work. The leave ends when it has told how that went, and after 7 days. 409 where another version is offered by now, or its program cannot do that.',
    params,
    body: closed({ version: versionText }),
    answers: { 200: ofGateway },
    problems: ['not_found', 'conflict'],
  }),
  disallowUpdate: appOperation({
    ...appRoutes.disallowUpdate,
    role: 'owner',
    rateClass: 'write',
    summary: 'Take the leave for one gateway back',
    text: 'What the gateway was asked before goes on.',
    params,
    answers: { 200: ofGateway },
    problems: ['not_found'],
  }),
  setUpdateHours: appOperation({
    ...appRoutes.setUpdateHours,
    role: 'owner',
    rateClass: 'write',
    summary: 'Let all gateways of the Space update themselves at certain hours, or no longer',
    text: 'A standing leave, for every version that the operator releases to the Space. Null: none, as at first. A version that was taken back at a gateway is not tried there again.',
    body: closed({ hours: nullable(UpdateHours) }),
    answers: { 200: closed({ hours: nullable(UpdateHours) }) },
    problems: [],
  }),
}
