// Opens the gate that is named, or the first active one, and says how it went.

import { createClient } from '../src/client.ts'

const { API_KEY = '', BASE_URL = 'http://localhost:8080' } = process.env
const [, , name] = process.argv
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY })

async function openGate(): Promise<string> {
  const listed = await client.listGates({ query: { isActive: true } })
  if (!listed.ok) return `The gates cannot be listed: ${listed.message}`
  const gate = listed.body.gates.find(each => name === undefined || each.name === name)
  if (!gate) return 'There is no such gate.'

  // One more call at most, and only where the service says that it cannot reverse a moving gate.
  const pressed = await client.openGate({ gateId: gate.id }, { retryOpen: 1 })
  if (!pressed.ok)
    return `${gate.name} was not opened (${pressed.reason ?? pressed.code}): ${pressed.message}`
  if (pressed.body.opened) return `${gate.name} is open.`

  // The call is still running; this asks for the opening, and never calls again.
  const { openingId } = pressed.body
  const followed = await client.getOpening({ openingId })
  return followed.ok ? `${gate.name}: ${followed.body.opening.status}` : followed.message
}

process.stdout.write(`${await openGate()}\n`)
