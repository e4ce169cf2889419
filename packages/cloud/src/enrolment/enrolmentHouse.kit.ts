// A cloud that enrols gateways, for tests: the dashboard's operations and the gateways' endpoint, without HTTP.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { signingKey } from '@callgate/contract/wire/signature'
import type { FakeWorld } from '@callgate/world/fake'
import type { Database } from '../database/database.ts'
import type { GatewayLogin } from '../gateway/gatewayHandlers.ts'
import { adminRequest, bodyOf } from '../http/requests.kit.ts'
import { type Limits, limitsInMemory } from '../limit/limits.ts'
import { createSeal } from '../secrets/sealing.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import type { playedGateway } from './enrolment.kit.ts'
import { enrolmentEndpoint } from './enrolmentEndpoint.ts'
import { enrolmentHandlers } from './enrolmentHandlers.ts'

export const cloudKey = signingKey(new Uint8Array(32).fill(9))
export const usualLogin: GatewayLogin = {
  mqttUrl: 'mqtts://gates.example.com:8883',
  cloudKeys: [cloudKey.publicKey],
  hasOwnBroker: false,
}

/** The answer to a gateway as a word: what happened, or why it is refused. */
export function wordOf(answer: Problem | object): string {
  if (isProblem(answer)) return String(answer.extra?.['reason'] ?? answer.problem)
  const { body = {}, status } = answer as { body?: { state?: string }; status: number }
  return status === 204 ? 'done' : (body.state ?? 'taken')
}

interface EnrolmentHouseOptions {
  readonly world: FakeWorld
  readonly database: Database
  readonly spaceId: string
  readonly limits?: Limits
  readonly login?: GatewayLogin
  readonly signing?: SigningKeys
}

/** One cloud; several may share a database. */
export function enrolmentHouse({
  limits,
  database,
  login = usualLogin,
  signing = { keys: [cloudKey], number: 0 },
  spaceId,
  world,
}: EnrolmentHouseOptions) {
  const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(7)]]))
  const heard = { now: (row: object) => ({ ...row, heard: undefined }) } as never
  const given = {
    world,
    database,
    seal,
    heard,
    login: () => login,
    signing: () => signing,
  }
  const installer = { repository: 'https://packages.example.com', sha256: '0'.repeat(64) }
  const dashboard = enrolmentHandlers({ ...given, installer, appUrl: 'https://gates.example.com' })
  const endpoint = enrolmentEndpoint({ ...given, limits: limits ?? limitsInMemory(world) })
  const request = (parts: object, of = spaceId) => adminRequest(database, of, parts) as never
  type Gateway = ReturnType<typeof playedGateway>

  return {
    dashboard,
    endpoint,
    seal,
    request,
    start: (body: object = {}) =>
      bodyOf<AppAnswerOf<'startEnrolment'>['body']>(
        dashboard.startEnrolment(request({ body: { name: 'Attic', isForCard: false, ...body } })) as never,
      ),
    async view(enrolmentId: string): Promise<EnrolmentView> {
      const answer = dashboard.getEnrolment(request({ params: { enrolmentId } }))
      return (await bodyOf<{ enrolment: EnrolmentView }>(answer as never)).enrolment
    },
    confirm: (enrolmentId: string, fingerprint: string) =>
      dashboard.confirmEnrolment(request({ params: { enrolmentId }, body: { fingerprint } })),
    refuse: (enrolmentId: string) => dashboard.refuseEnrolment(request({ params: { enrolmentId } })),
    take: (gateway: Gateway, code: string, addressGroup = '192.0.2.1') =>
      endpoint.takeCode({ addressGroup, params: {}, body: gateway.codeBody(code) }),
    ask: (gateway: Gateway, offer: { enrolmentId: string; cloudNonce: string }) =>
      endpoint.askForLogin({ addressGroup: '192.0.2.1', params: offer, body: gateway.signed('ask', offer) }),
    stored: (gateway: Gateway, offer: { enrolmentId: string; cloudNonce: string }) =>
      endpoint.confirmStored({
        addressGroup: '192.0.2.1',
        params: offer,
        body: gateway.signed('stored', offer),
      }),
  }
}
