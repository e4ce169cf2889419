// What a person saw of a gate after a call with an unknown outcome: it is stored beside the opening, and changes nothing in it.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'

type Sighting = NonNullable<OpeningRecord['seen']>

const choices: readonly Sighting[] = ['moving', 'still']

/** `seen`: the last statement, here or at the gate. The latest counts. */
export function SeenAfter({
  openingId,
  seen,
}: {
  readonly openingId: string
  readonly seen: Sighting | null
}) {
  const words = useWords()
  const says = words.gate
  const observe = useChange('observeOpening')
  const [sent, setSent] = useState<Sighting>()
  const [hasFailed, setFailed] = useState(false)
  async function say(what: Sighting) {
    setSent(what)
    const kept = await observe({ params: { openingId }, body: { seen: what } })
    setSent(undefined)
    setFailed(!kept.ok)
  }
  return (
    <fieldset className="seen-after">
      <legend>{says.seenAsk}</legend>
      <div className="seen-choices">
        {choices.map(what => (
          <Button
            key={what}
            aria-pressed={seen === what}
            icon={seen === what && <icons.check size={18} />}
            onClick={() => void say(what)}
            busy={sent === what ? words.frame.saving : undefined}
          >
            {says.saw[what]}
          </Button>
        ))}
      </div>
      <p className="small quiet" role="status">
        {hasFailed ? says.seenNotKept : seen === null ? says.seenWhy : says.seenKept}
      </p>
    </fieldset>
  )
}
