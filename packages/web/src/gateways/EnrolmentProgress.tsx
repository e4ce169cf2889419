// How far a gateway that is being added has come: one line for each step, with its time, and what helps where it stands still.

import type { Reader } from '../gates/gateWords.ts'
import { useReader } from '../gates/useGateReader.ts'
import { icons } from '../kit/icons.tsx'
import { dbm, timeOrDay } from '../words/time.ts'
import { useEnrolmentTexts } from './enrolmentTexts.ts'
import { sayModem, sayWarning } from './gatewayWords.ts'
import { type AddedGateway, type ProgressStep, progressOf } from './progress.ts'

const marks = {
  done: <icons.check size={18} />,
  weak: <icons.alert size={18} />,
  now: <icons.clock size={18} />,
  later: <icons.uncalibrated size={18} />,
} as const

/** What is known beside the name of a step that was reached: its time, or what the modem says. */
function knownOf(
  { at, name }: ProgressStep,
  gateway: AddedGateway['gateway'],
  reader: Reader,
): string | undefined {
  if (at !== null) return timeOrDay(at, reader.nowMs, reader.times)
  const modem = gateway?.now.modem
  if (!modem) return undefined
  if (name === 'modem') return sayModem(modem)
  if (name === 'network') return modem.operator ?? undefined
  return name === 'signal' && modem.signalDbm !== null ? dbm(modem.signalDbm) : undefined
}

function Remedy({ reader, step: { remedy } }: { readonly step: ProgressStep; readonly reader: Reader }) {
  const { remedies } = useEnrolmentTexts().progress
  if (remedy === undefined) return null
  const said =
    typeof remedy === 'string'
      ? remedies[remedy]
      : sayWarning({ is: 'trouble', ...remedy, calls: [] }, reader).join(' ')
  return <p className="small progress-remedy">{said}</p>
}

const everyMs = 5_000

export function EnrolmentProgress({ enrolment, gateway }: Omit<AddedGateway, 'nowMs'>) {
  const says = useEnrolmentTexts().progress
  const reader = useReader(everyMs)
  return (
    <ol className="progress" aria-label={says.title}>
      {progressOf({ enrolment, gateway, nowMs: reader.nowMs }).map(step => {
        const { name, state } = step
        const isReached = state === 'done' || state === 'weak'
        const known = isReached ? knownOf(step, gateway, reader) : undefined
        return (
          <li key={name} className={`progress-${state}`}>
            <span>
              {marks[state]}
              <span className="heard">{says.states[state]}</span>
            </span>
            <span>{state === 'now' ? says.waits[name] : says.names[name]}</span>
            {known !== undefined && <span className="quiet small">{known}</span>}
            <Remedy step={step} reader={reader} />
          </li>
        )
      })}
    </ol>
  )
}
