// The completed test calls: how each ended, and what was seen of the gate.

import type { CalibrationCall } from '@callgate/contract/app/calibration'
import { Button } from '../kit/Button.tsx'
import { seconds } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'

function sayEnd({ end, ringMs, talkMs }: CalibrationCall, words: Words): string {
  const says = words.calibration
  if (end === null) return says.running
  const ms = end === 'answered_released' ? talkMs : ringMs
  return says.ends[end](ms === null ? '' : seconds(ms, words.locale))
}

function saySeen({ afterS, hasMoved, isHidden }: CalibrationCall, words: Words): string {
  const says = words.calibration
  const moved = afterS === null ? says.sawMoved : says.sawMovedAfter(afterS)
  const seen = hasMoved === null ? [] : [hasMoved ? moved : says.sawStill]
  return [...(isHidden ? [says.hidden] : []), ...seen].join(' · ')
}

export function CallList(props: {
  readonly calls: readonly CalibrationCall[]
  readonly correct: (call: CalibrationCall) => void
}) {
  const { calls, correct } = props
  const words = useWords()
  const says = words.calibration
  if (calls.length === 0) return null
  return (
    <section className="card calibration-calls">
      <h2>{says.calls}</h2>
      <ol>
        {calls.map((call, place) => (
          <li key={call.openingId}>
            <span>
              {sayEnd(call, words)}
              <span className="small quiet">{saySeen(call, words)}</span>
            </span>
            {call.hasMoved !== null && (
              <Button look="quiet" aria-label={says.correctOf(place + 1)} onClick={() => correct(call)}>
                {says.correct}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
