// How a gate takes a call: in words, the ringing times of its calls, and the editable values.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Success } from '../client/client.ts'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { arriveAt } from '../kit/arrival.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { dayAndMonth, seconds } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import type { Reader } from './gateWords.ts'
import { RingingAxis } from './RingingAxis.tsx'
import { readEveryMs } from './useGateReader.ts'

export type ProfileBody = Success<'getGateProfile'>['body']

function modeOf({ profile }: ProfileBody, says: Reader['words']['gate']) {
  const { mode } = profile
  return Object.hasOwn(says.modes, mode) ? (mode as keyof typeof says.modes) : 'unverified'
}

/** The text of the badge beside the title about the origin of the profile. */
const origins = { declared: 'declared', measured: 'learned' } as const

/** The origin of the measurement, and what no longer fits the profile. */
function Learned({ gateId, reader }: { readonly gateId: string; readonly reader: Reader }) {
  const says = reader.words.calibration
  const { value } = useRead('getCalibration', { params: { gateId } }, { everyMs: readEveryMs })
  if (!value?.learnedFrom) return null
  const { at, modem, operator } = value.learnedFrom
  const { doubts, usualMs } = value
  const by = [modem, operator].filter(Boolean).join(' · ')
  const usually = usualMs === null ? '' : says.usually(seconds(usualMs, reader.times.locale))
  return (
    <>
      <p className="small quiet">
        {says.measured(dayAndMonth(at, reader.nowMs, reader.times), by)} {usually}
      </p>
      {doubts.length > 0 && (
        <Banner tone="look">
          {doubts.map(doubt => says.doubts[doubt]).join(' ')} {says.calibrateAgain}
        </Banner>
      )}
    </>
  )
}

/** The link to the calibration. Outlined also where there is none yet: the page has Open as its filled button. */
function Calibrate({ gateId }: { readonly gateId: string }) {
  const { space } = useSpace()
  return (
    <ButtonLink isWide href={hrefOf(dashboardPaths.calibration, { spaceId: space.id, gateId })}>
      {useWords().calibration.title}
    </ButtonLink>
  )
}

/** How long the gate is not called again, and how long a call rings. */
function Limits({
  profile,
  says,
}: {
  readonly profile: ProfileBody['profile']
  readonly says: Reader['words']['gate']
}) {
  return (
    <dl className="profile-facts">
      {profile.coolDownMs > 0 && (
        <>
          <dt>{says.joins}</dt>
          <dd>{says.seconds(profile.coolDownMs / 1_000)}</dd>
        </>
      )}
      <dt>{says.rings30}</dt>
      <dd>{says.seconds(profile.maxRingMs / 1_000)}</dd>
    </dl>
  )
}

const arrive = arriveAt('takes')

export function CallProfileCard(props: {
  readonly gateId: string
  readonly ringMs: readonly number[]
  readonly reader: Reader
  /** Asks for a test call. */
  readonly test: () => void
  readonly edit: (read: {
    readonly profile: ProfileBody['profile']
    readonly etag: string | undefined
  }) => void
  /** Nothing stands in the way of a call. */
  readonly canCall: boolean
  /** No press of this page runs or has just ended. */
  readonly isFree: boolean
}) {
  const { canCall, gateId, isFree, reader, ringMs } = props
  const says = reader.words.gate
  const read = useRead('getGateProfile', { params: { gateId } })
  if (!read.value)
    return read.failure ? (
      <NotRead what={says.takes} of={read} />
    ) : (
      <section className="card">
        <Skeleton bars={[20, 60, 90]} />
      </section>
    )
  const { calibration, profile } = read.value
  const at = (ms: number) => seconds(ms, reader.times.locale)
  const fitting = ringMs.filter(ms => ms >= profile.reactMinMs && ms <= profile.reactMaxMs).length
  return (
    <section className="card profile" ref={arrive}>
      <div className="profile-head">
        <h2>{says.takes}</h2>
        {calibration !== 'none' && <span className="tag">{says[origins[calibration]]}</span>}
      </div>
      <p>
        <b>{says.modes[modeOf(read.value, says)]}</b>{' '}
        <span className="quiet">
          {calibration === 'none' && says.notCalibrated}
          {calibration === 'declared' && says.notMeasured}
          {calibration === 'measured' && fitting > 0 && says.knownFrom(fitting)}
        </span>
      </p>
      {ringMs.length > 0 && (
        <RingingAxis
          window={calibration === 'none' ? undefined : profile}
          calls={ringMs.map(ms => ({ ms }))}
          text={
            calibration === 'none'
              ? says.windowNone(ringMs.length)
              : says.windowText(at(profile.reactMinMs), at(profile.reactMaxMs), ringMs.length)
          }
        />
      )}
      <Learned gateId={gateId} reader={reader} />
      <Limits profile={profile} says={says} />
      <div className="profile-foot">
        <Calibrate gateId={gateId} />
      </div>
      <div className="profile-foot">
        <Button icon={<icons.call size={18} />} isWide onClick={props.test} disabled={!canCall || !isFree}>
          {says.testCall}
        </Button>
        <Button onClick={() => props.edit({ profile, etag: read.etag })}>{says.change}</Button>
      </div>
    </section>
  )
}
