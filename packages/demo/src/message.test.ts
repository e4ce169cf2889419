// The message: everything in it that a newcomer copies.

import { expect, it } from 'vitest'
import { demoGates, learnedProfile } from './demoGates.ts'
import { allScopes } from './demoSpace.ts'
import { readyMessage } from './message.ts'

const facts = {
  baseUrl: 'http://localhost:8080',
  docsUrl: 'http://localhost:8080/docs',
  guestUrl: 'http://localhost:8080/g/token',
  apiKey: 'svc_live_secret',
  spaceId: 'space_1',
  dashboard: { url: 'http://localhost:8080/', email: 'owner@callgate.example', password: 'several-words' },
  sandbox: { spaceId: 'space_2', apiKey: 'svc_test_secret' },
  simulatorUrl: 'http://127.0.0.1:8180',
  gates: demoGates.map(({ farEnd, name, phoneNumber }, index) => ({
    id: `gate_${index}`,
    name,
    phoneNumber,
    farEnd,
  })),
}

it('has a curl line for each gate, and all addresses', () => {
  const message = readyMessage(facts, demoGates, {
    readyPath: '/d/ready.json',
    logFolder: '/d/logs',
    link: '/d/tty',
  })
  for (const { id, farEnd } of facts.gates) {
    const curl = `curl -X POST -H 'Authorization: Bearer svc_live_secret' http://localhost:8080/api/v1/gates/${id}/open`
    expect(message.split('\n').map(line => line.trim())).toContain(curl)
    expect(message).toContain(farEnd)
  }
  for (const place of [
    facts.docsUrl,
    facts.guestUrl,
    facts.sandbox.apiKey,
    ...Object.values(facts.dashboard),
    '/d/ready.json',
    '/d/logs',
    '/d/tty',
    'http://127.0.0.1:8180/state',
    'Ctrl-C',
  ])
    expect(message).toContain(place)
})

it('shows four different far ends at four different numbers, the first two calibrated', () => {
  expect(new Set(demoGates.map(({ phoneNumber }) => phoneNumber)).size).toBe(4)
  expect(demoGates.map(({ farEnd }) => learnedProfile(farEnd, 'normal')?.mode)).toEqual([
    'reject',
    'answer_release',
    undefined,
    undefined,
  ])
  expect(allScopes).toHaveLength(8)
})
