import { problemExamples } from '@callgate/contract/rest/problemExamples'
import { describe, expect, it } from 'vitest'
import { monthOf } from './month.ts'
import { apiRefusal, invitationRefusal, limitRefusal, type Plan, planInForce, withOwnLimits } from './plan.ts'

const pro: Plan = {
  name: 'pro',
  gateLimit: 25,
  monthlyInvitationLimit: 500,
  gatewayLimit: 100,
  keyLimit: 200,
  userLimit: 200,
  webhookLimit: 10,
  hasApi: true,
  trialDays: null,
}
const none = {
  gateLimit: null,
  monthlyInvitationLimit: null,
  gatewayLimit: null,
  keyLimit: null,
  userLimit: null,
  webhookLimit: null,
}
const january = monthOf(Date.UTC(2026, 0, 15), 'Europe/Bucharest')

describe('a plan', () => {
  it('is the free one from the instant at which a trial ends', () => {
    const space = { plan: 'trial', trialEndsAt: '2026-01-19T08:00:00.000Z' }
    const endMs = Date.parse(space.trialEndsAt)
    expect(planInForce(space, endMs - 1)).toBe('trial')
    expect(planInForce(space, endMs)).toBe('free')
    expect(planInForce({ plan: 'pro', trialEndsAt: null }, endMs)).toBe('pro')
  })

  it('is replaced by the limits that a Space has of its own, also by no limit', () => {
    expect(withOwnLimits(pro, { ...none, monthlyInvitationLimit: 3 })).toEqual({
      ...pro,
      monthlyInvitationLimit: 3,
    })
    const shut = withOwnLimits(pro, { ...none, gateLimit: 0, monthlyInvitationLimit: 0 })
    expect(limitRefusal(shut, 'gateLimit', 0)?.message).toContain('may have 0 active gates, and 0 are in use')
    expect(invitationRefusal(shut, 0, january)?.message).toContain('may have 0 invitations a month')
    const one = withOwnLimits(pro, { ...none, gateLimit: 1 })
    expect(one).toEqual({ ...pro, gateLimit: 1 })
    expect(limitRefusal(one, 'gateLimit', 1)?.message).toContain('may have 1 active gate, and 1 is in use')
  })

  it('has room up to its limit, and names limit, use and reset beyond it', () => {
    expect(limitRefusal(pro, 'gateLimit', 24)).toBeUndefined()
    expect(limitRefusal(pro, 'gateLimit', 25)?.message).toContain(
      'may have 25 active gates, and 25 are in use; this limit does not',
    )
    expect(limitRefusal(pro, 'gatewayLimit', 100)?.message).toContain('may have 100 gateways, and 100 are in')
    expect(limitRefusal(pro, 'keyLimit', 200)?.message).toContain('may have 200 API keys, and 200 are in use')
    expect(limitRefusal(pro, 'userLimit', 201)?.message).toContain('may have 200 users, and 201 are in use')
    expect(invitationRefusal(pro, 499, january)).toBeUndefined()
    const refused = invitationRefusal(pro, 500, january)?.message
    expect(refused).toContain('may have 500 invitations a month')
    expect(refused).toContain('500 are used; this resets at 2026-01-31T22:00:00.000Z')
    expect(refused).toContain('Europe/Bucharest')
  })
})

it('refuses with the texts of the documented examples', () => {
  const { plan_limit_reached: limit, plan_upgrade_required: upgrade } = problemExamples
  expect(limitRefusal(pro, 'gateLimit', 25)?.message).toBe(limit.error.message)
  expect(apiRefusal('free', null)).toBe(upgrade.error.message)
  expect(apiRefusal('free', '2026-01-19T08:00:00.000Z')).toBe(
    'The trial of this Space ended at 2026-01-19T08:00:00.000Z, and the plan free does not include API access.',
  )
})
