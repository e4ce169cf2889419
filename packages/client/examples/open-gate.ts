// Opens the gate with the given name, or the first active one, and prints the outcome: exit code 0 when it opened, else 1.

import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../src/client.ts'
import type { Client } from '../src/types.ts'

/** What was done, and whether the gate has opened. */
interface Outcome {
  readonly isOpen: boolean
  readonly message: string
}

const failed = (message: string): Outcome => ({ isOpen: false, message })

/** Asks once a second how the opening ends, and never calls again. It ends within 90 seconds. */
async function follow(client: Client, gateName: string, openingId: string): Promise<Outcome> {
  for (let asked = 0; asked < 100; asked++) {
    await pause(1000)
    const followed = await client.getOpening({ openingId })
    if (!followed.ok) return failed(`How ${gateName} took the call is not known: ${followed.message}`)
    const { errorMessage, status } = followed.body.opening
    if (status === 'completed') return { isOpen: true, message: `${gateName} is open.` }
    if (status !== 'initiated' && status !== 'connected')
      return failed(`${gateName} was not opened: ${errorMessage ?? status}`)
  }
  return failed(`${gateName} is still being called.`)
}

async function openGate(client: Client, name: string | undefined): Promise<Outcome> {
  const listed = await client.listGates({ query: { isActive: true } })
  if (!listed.ok) return failed(`The gates cannot be listed: ${listed.message}`)
  const gate = listed.body.gates.find(each => name === undefined || each.name === name)
  if (!gate) return failed('There is no such gate.')

  // At most one more call, and only when the service says that nothing moved and that a retry can help.
  const pressed = await client.openGate({ gateId: gate.id }, { retryOpen: 1 })
  if (!pressed.ok)
    return failed(`${gate.name} was not opened (${pressed.reason ?? pressed.code}): ${pressed.message}`)
  if (pressed.body.opened) return { isOpen: true, message: `${gate.name} is open.` }
  return follow(client, gate.name, pressed.body.openingId)
}

const { API_KEY, BASE_URL = 'http://localhost:8080' } = process.env
if (!API_KEY || !URL.canParse(BASE_URL)) {
  process.stderr.write('Set API_KEY to an API key, svc_live_…, and BASE_URL to the address of the service.\n')
  process.exitCode = 1
} else {
  const { isOpen, message } = await openGate(
    createClient({ baseUrl: BASE_URL, apiKey: API_KEY }),
    process.argv[2],
  )
  process.stdout.write(`${message}\n`)
  process.exitCode = isOpen ? 0 : 1
}
