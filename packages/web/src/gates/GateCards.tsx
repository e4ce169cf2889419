// The cards of gates, and what they show.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { GateCard } from './GateCard.tsx'
import type { Reader } from './gateWords.ts'

export interface ReadGates {
  readonly gates: readonly Gate[]
  readonly figures: readonly GateFigures[]
  /** Undefined where they could not be read. */
  readonly gateways: readonly GatewayView[] | undefined
}

/** Whether its name or place has a text in it. */
export const hasText = (gate: Pick<Gate, 'name' | 'location'>, text: string) =>
  `${gate.name} ${gate.location}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())

/** A card for each gate. */
export function GateCards({
  gates,
  read,
  reader,
}: {
  readonly gates: readonly Gate[]
  readonly read: ReadGates
  readonly reader: Reader
}) {
  return (
    <ul className="gate-cards">
      {gates.map(gate => (
        <GateCard
          key={gate.id}
          gate={gate}
          figures={read.figures.find(({ gateId }) => gateId === gate.id)}
          gateways={read.gateways}
          reader={reader}
        />
      ))}
    </ul>
  )
}
