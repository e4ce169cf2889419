// The test calls: when each was taken, how it ended, and what was seen of the gate.

import type { CalibrationCall } from '@callgate/contract/app/calibration'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { RingingAxis } from '../gates/RingingAxis.tsx'
import { Button } from '../kit/Button.tsx'
import { seconds } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { timesOf } from './proposalFields.ts'

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

/** The calls as dots on the axis of their ringing, over the window of the profile that they show. */
function Dots({
  calls,
  profile,
}: {
  readonly calls: readonly CalibrationCall[]
  readonly profile: CallProfile | undefined
}) {
  const words = useWords()
  const says = words.calibration
  const rung = calls.flatMap(({ end, hasMoved, ringMs }, place) =>
    ringMs === null || end === 'unclear'
      ? []
      : [{ ms: ringMs, number: place + 1, isStill: hasMoved === false }],
  )
  if (rung.length === 0) return null
  const hasWindow = profile && timesOf(profile.mode).includes('reactMinMs')
  const text = rung.map(({ ms, number }) => says.rangFor(number, seconds(ms, words.locale))).join(' ')
  if (!hasWindow) return <RingingAxis calls={rung} caption={says.rang} text={text} />
  return <RingingAxis calls={rung} window={profile} text={text} />
}

export function CallList(props: {
  readonly calls: readonly CalibrationCall[]
  /** What the calls show, or what is typed in its place. */
  readonly profile: CallProfile | undefined
  readonly correct: (call: CalibrationCall) => void
}) {
  const { calls, correct, profile } = props
  const words = useWords()
  const says = words.calibration
  if (calls.length === 0) return null
  return (
    <section className="card calibration-calls">
      <h2>{says.calls}</h2>
      <Dots calls={calls} profile={profile} />
      <ol>
        {calls.map((call, place) => (
          <li key={call.openingId}>
            <div className="calibration-call">
              <span>
                {sayEnd(call, words)}
                <span className="small quiet">{saySeen(call, words)}</span>
              </span>
              {call.hasMoved !== null && (
                <Button look="quiet" aria-label={says.correctOf(place + 1)} onClick={() => correct(call)}>
                  {says.correct}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
