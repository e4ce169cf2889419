// An opening unfolded: its phases to scale, the verdict, the signals of the line, and the gateway.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { openingClassOf } from '@callgate/contract/call/openingClass'
import type { Opening, OpeningEvidence } from '@callgate/contract/rest/opening'
import { useRead } from '../client/reading.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { dbm, seconds } from '../words/time.ts'
import { lineRows, phasesOf, safetyOf, sureSteps, withoutLines } from './evidence.ts'
import { type Reader, sayCause } from './gateWords.ts'
import { ProofButton, ProofSays } from './ProofButton.tsx'
import { SeenAfter } from './SeenAfter.tsx'

interface Shown {
  readonly opening: Opening
  readonly evidence: OpeningEvidence
  readonly reader: Reader
}

function Phases({ evidence, opening, reader }: Shown) {
  const says = reader.words.gate
  const { locale } = reader.times
  const phases = phasesOf(opening, evidence)
  if (phases.length === 0) return null
  const isOpen = evidence.opened === 'yes' || evidence.opened === 'likely'
  const endMs = phases.reduce((sum, { fromMs, ms }) => Math.max(sum, fromMs + ms), 0)
  const at = (ms: number) => seconds(ms, locale)
  // From the press, like the length of the opening.
  const askedMs = -(phases[0]?.fromMs ?? 0)
  const sayPhase = { asked: () => '', setup: says.dialled, ringing: says.rings, talking: says.answered }
  return (
    <figure className="phases">
      <div className="phases-bar" aria-hidden="true">
        {phases.map(({ ms, name }) => (
          <span key={name} className={`phase phase-${name}`} style={{ flexGrow: ms }}>
            {ms > 1_000 && says.phases[name]}
          </span>
        ))}
        {isOpen && <span className="phase phase-taken" />}
      </div>
      <figcaption className="phases-marks small quiet">
        {phases.map(({ fromMs, ms, name }) => (
          <span key={name} style={{ flexGrow: ms }}>
            {sayPhase[name](at(askedMs + fromMs))}
          </span>
        ))}
        <span className="phases-end">
          {isOpen ? says.taken(at(askedMs + endMs)) : says.ended(at(askedMs + endMs))}
        </span>
      </figcaption>
    </figure>
  )
}

function Verdict({ evidence, reader }: Shown) {
  const says = reader.words.gate
  const opened = evidence.opened ?? 'unknown'
  const confidence = evidence.confidence ?? 'unknown'
  const safety = safetyOf(evidence)
  const hasOpened = opened === 'yes' || opened === 'likely'
  const Opened = hasOpened ? icons.opened : opened === 'no' ? icons.failed : icons.look
  const Safe = safety === 'yes' ? icons.opened : safety === 'look' ? icons.look : icons.failed
  const tone = hasOpened ? 'open' : opened === 'no' ? 'shut' : 'look'
  return (
    <dl className="verdict">
      <div>
        <dt>{says.didItOpen}</dt>
        <dd>
          <span className={`tone-${tone}`}>
            <Opened size={18} />
          </span>
          {says.opened[opened]}
        </dd>
      </div>
      <div>
        <dt>{says.howSure}</dt>
        <dd>
          {says.sure[confidence]}
          <span className="sure" role="img" aria-label={says.sureOf(sureSteps[confidence])}>
            {[1, 2, 3].map(step => (
              <span
                key={step}
                className={step <= sureSteps[confidence] ? 'sure-step sure-lit' : 'sure-step'}
              />
            ))}
          </span>
        </dd>
      </div>
      <div>
        <dt>{says.safeToPress}</dt>
        <dd>
          <span className={`tone-${safety === 'yes' ? 'open' : safety === 'look' ? 'look' : 'shut'}`}>
            <Safe size={18} />
          </span>
          {says.safe[safety]}
        </dd>
      </div>
    </dl>
  )
}

function Line({ evidence, opening, reader }: Shown) {
  const says = reader.words.gate
  const events = evidence.call?.events ?? []
  if (events.length === 0) {
    const known = withoutLines(opening, evidence)
    return known === undefined ? null : <p className="quiet small">{says[known]}</p>
  }
  const rows = lineRows([{ atMs: 0, event: 'ATD' }, ...events], reader.words.line)
  return (
    <table className="line-said">
      <caption>{says.line}</caption>
      <thead>
        <tr>
          <th scope="col">{says.after}</th>
          <th scope="col">{says.signal}</th>
          <th scope="col">{says.means}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ atMs, means, place, signals }) => (
          <tr key={place}>
            <td>{seconds(atMs, reader.times.locale, 2)}</td>
            <td className="mono">{signals.join(', ')}</td>
            <td>{means}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The gate's movement is unknown. */
const isUnknown = ({ evidence, opening: { status } }: Shown) => {
  const { confidence, opened, reason } = evidence
  return openingClassOf({ status, confidence, opened, reason }) === 'unknown'
}

/** Read only when it is unfolded. `record` is what the list already knew; without `seen` nobody is asked what was seen. */
export function OpeningDetail(props: {
  readonly record: Pick<OpeningRecord, 'id'> & Partial<Pick<OpeningRecord, 'seen'>>
  readonly gateway: string | undefined
  readonly reader: Reader
}) {
  const { gateway, reader, record } = props
  const { words } = reader
  const read = useRead('getOpening', { params: { openingId: record.id } })
  if (!read.value)
    return read.failure ? <NotRead what={words.gate.openings} of={read} /> : <Skeleton bars={[26, 60, 120]} />
  const shown: Shown = { ...read.value, reader }
  const { call, reason } = shown.evidence
  const cause = sayCause(reason, words)
  const facts = [
    gateway,
    call?.modem,
    call?.operator,
    call?.signalDbm == null ? undefined : dbm(call.signalDbm),
  ]
  return (
    <div className="opening-detail">
      <Phases {...shown} />
      <Verdict {...shown} />
      {cause && <p>{cause}</p>}
      {record.seen !== undefined && isUnknown(shown) && (
        <SeenAfter openingId={record.id} seen={record.seen} />
      )}
      <Line {...shown} />
      <p className="small quiet">
        {facts.flatMap(fact => fact ?? []).map(fact => `${fact} · `)}
        <span className="mono">{record.id}</span>
      </p>
      <div className="opening-does">
        <ProofButton openingId={record.id} />
        <CopyButton label={words.gate.copyId} text={record.id} />
      </div>
      <ProofSays />
    </div>
  )
}
