// The message of a demo that is ready: the facts of ready.json, written for a person.

import type { DemoGate } from './demoGates.ts'
import type { RememberedSandbox } from './remembered.ts'

export interface ReadyGate {
  readonly id: string
  readonly name: string
  readonly phoneNumber: string
  readonly farEnd: string
}

/** The contents of ready.json. */
export interface ReadyFacts {
  readonly baseUrl: string
  readonly docsUrl: string
  readonly apiKey: string
  readonly spaceId: string
  /** The page and the login of the demo Space's owner. */
  readonly dashboard: { readonly url: string; readonly email: string; readonly password: string }
  /** The magic link of a guest who may open every gate. */
  readonly guestUrl: string
  readonly simulatorUrl: string
  /** A Space for tests, with its key. */
  readonly sandbox: RememberedSandbox
  readonly gates: readonly ReadyGate[]
}

interface Places {
  readonly readyPath: string
  readonly logFolder: string
  readonly link: string
}

/** The whole message; its lines can be copied into a terminal. */
export function readyMessage(facts: ReadyFacts, demoGates: readonly DemoGate[], places: Places): string {
  const key = `-H 'Authorization: Bearer ${facts.apiKey}'`
  const gates = facts.gates.flatMap(gate => {
    const shows = demoGates.find(({ farEnd }) => farEnd === gate.farEnd)?.shows ?? gate.farEnd
    return [
      `  ${gate.name}, ${gate.phoneNumber}, ${gate.farEnd}: ${shows}`,
      `    curl -X POST ${key} ${facts.baseUrl}/api/v1/gates/${gate.id}/open`,
      '',
    ]
  })
  return [
    '',
    'Callgate is ready.',
    '',
    `  REST API   ${facts.baseUrl}/api/v1   (described at ${facts.docsUrl})`,
    `  API key    ${facts.apiKey}`,
    `  Space      ${facts.spaceId}`,
    `  Dashboard  ${facts.dashboard.url}   (sign in with ${facts.dashboard.email}, password ${facts.dashboard.password})`,
    `  Guest      ${facts.guestUrl}   (a magic link: open it in a browser)`,
    `  Sandbox    ${facts.sandbox.apiKey}   (the key of a Space for tests, which calls nobody: ${facts.docsUrl}/sandbox)`,
    `  Simulator  ${facts.simulatorUrl}`,
    '',
    'Open a gate; each line is one call to its number:',
    '',
    ...gates,
    'See what was recorded, and what truly happened (relayCount of each gate, and the serial line):',
    `    curl ${key} ${facts.baseUrl}/api/v1/openings`,
    `    curl ${facts.simulatorUrl}/state`,
    '',
    `The daemon holds the demo's modem, ${places.link}. To type AT yourself, start another one and open it:`,
    '    node_modules/.bin/node packages/simulator/src/main.ts --link ./modem-tty --registered',
    '    screen ./modem-tty 115200',
    '',
    `These facts are in ${places.readyPath}, the logs in ${places.logFolder}.`,
    'Ctrl-C stops everything.',
  ].join('\n')
}
