// A job of CI on a sandbox: proves that a program's rules for a visitor hold, and what a busy gate looks like. Exit code 0 when
// everything is as expected, else 1.

import { createClient } from '../src/client.ts'
import type { Client, Failure } from '../src/types.ts'

const busyNumber = '+447700900200'
/** Saturday and Sunday, 08:00 to 20:00 in Bucharest. */
const schedules = [{ type: 'weekends' as const, timeWindows: [{ from: '08:00', to: '20:00' }] }]
const saturday = '2026-11-28T09:00:00+02:00'
const monday = '2026-11-30T09:00:00+02:00'

/** The body of a call that must succeed. */
function bodyOf<Body>(result: { readonly ok: true; readonly body: Body } | Failure): Body {
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`)
  return result.body
}

/** What is not as expected. */
async function faultsOf(client: Client): Promise<readonly string[]> {
  const { space } = bodyOf(await client.getSelf())
  // The key of a live Space would empty nothing: the service refuses this on it. All the same, look first.
  if (space.mode !== 'sandbox') return ['this is no key of a sandbox']
  bodyOf(await client.resetSandbox())
  const { gate } = bodyOf(await client.createGate({ body: { name: 'Busy gate', phoneNumber: busyNumber } }))
  const visitor = { name: 'Visitor', accesses: [{ gateId: gate.id, schedules }] }
  const { member } = bodyOf(await client.createMember({ body: visitor }))

  const faults: string[] = []
  for (const [at, isAllowed] of [
    [saturday, true],
    [monday, false],
  ] as const) {
    bodyOf(await client.setSandboxClock({ body: { at, isFrozen: true } }))
    const asked = { memberId: member.id, query: { gateId: gate.id } }
    const { allowed, reason } = bodyOf(await client.decideMember(asked))
    if (allowed !== isAllowed) faults.push(`at ${at}: ${allowed ? 'allowed' : reason}`)
  }

  const pressed = await client.openGate({ gateId: gate.id })
  if (pressed.ok || pressed.reason !== 'busy' || !pressed.safeToRetry)
    faults.push(`the busy gate: ${JSON.stringify(pressed)}`)
  return faults
}

const { API_KEY, BASE_URL = 'http://localhost:8080' } = process.env
if (!API_KEY || !URL.canParse(BASE_URL)) {
  process.stderr.write('Set API_KEY to the key of a sandbox, svc_test_…, and BASE_URL to the service.\n')
  process.exitCode = 1
} else {
  const faults = await faultsOf(createClient({ baseUrl: BASE_URL, apiKey: API_KEY })).catch(
    (error: Error) => [error.message],
  )
  process.stdout.write(faults.length === 0 ? 'Everything is as expected.\n' : `${faults.join('\n')}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
