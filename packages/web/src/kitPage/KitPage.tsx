// Every part in each of its states, on one page.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { Failure } from '../client/client.ts'
import { nowMs } from '../clock.ts'
import { OpenButton } from '../gates/OpenButton.tsx'
import type { Press } from '../gates/press.ts'
import { Badge, type BadgeLook } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { Field } from '../kit/Field.tsx'
import { Mark } from '../kit/firstIcons.tsx'
import { icons } from '../kit/icons.tsx'
import { OpeningRing } from '../kit/OpeningRing.tsx'
import { openingLook, type Step } from '../kit/openingLook.ts'
import { Ring } from '../kit/Ring.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { SignalBars } from '../kit/SignalBars.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { Ticks } from '../kit/Ticks.tsx'
import { useWords } from '../words/words.tsx'
import '../gates/gates.css'
import './kitPage.css'

const colours = 'page surface sunken line edge ink2 ink call open look shut'.split(' ')
const none = () => {}
const notReached: Failure = { ok: false, code: 'network_error', message: '', extra: {} }

interface Shown {
  readonly kind: OpeningClass
  readonly step?: Step
  readonly hasRung?: true
}

const shown: readonly Shown[] = [
  { kind: 'opened' },
  { kind: 'probably_opened' },
  { kind: 'did_not_open', hasRung: true },
  { kind: 'did_not_open' },
  { kind: 'not_called' },
  { kind: 'unknown', hasRung: true },
  { kind: 'denied' },
  { kind: 'running', step: 'ringing' },
]

const lookOf = ({ hasRung, kind, step }: Shown) =>
  openingLook({ class: kind, step: step ?? null, hasRung: hasRung ?? false })

function Rings() {
  const words = useWords().openings
  return (
    <section className="card">
      <h2>The ring of one opening</h2>
      <ul className="kit-rings">
        {shown.map(one => (
          <li key={`${one.kind}${one.hasRung ?? ''}`}>
            <OpeningRing look={lookOf(one)} size={30} />
            {one.step ? words.steps[one.step] : words.classes[one.kind]}
          </li>
        ))}
      </ul>
      <div className="kit-large">
        {[0, 1, 2, 3].map(lit => (
          <Ring key={lit} lit={lit} tone="call" size={92} isLive>
            {lit} s
          </Ring>
        ))}
        <Ring lit={4} tone="open" size={92}>
          <icons.check size={40} />
        </Ring>
        <Ring lit={3} tone="look" size={92}>
          <icons.look size={40} />
        </Ring>
      </div>
    </section>
  )
}

function Badges() {
  const { gates, openings } = useWords()
  const badges: readonly BadgeLook[] = [
    { tone: 'open', icon: 'opened', word: gates.badges.ready },
    { tone: 'shut', icon: 'alert', word: gates.badges.notReacting },
    { tone: 'look', icon: 'uncalibrated', word: gates.badges.notCalibrated },
    { tone: 'quiet', icon: 'uncalibrated', word: gates.badges.notTried },
    { tone: 'look', icon: 'look', word: gates.badges.notSure },
    { tone: 'quiet', icon: 'probably', word: gates.badges.notSure },
    { tone: 'shut', icon: 'noGateway', word: gates.badges.noGateway },
    { tone: 'shut', icon: 'noGateway', word: gates.badges.modemNotReady },
    { tone: 'quiet', icon: 'off', word: gates.badges.off },
    ...shown
      .slice(0, 3)
      .concat(shown.slice(4))
      .map(one => {
        const { icon, tone } = lookOf(one)
        const word = one.step ? openings.steps[one.step] : openings.classes[one.kind]
        return { tone, icon, word }
      }),
  ]
  return (
    <section className="card">
      <h2>Badges</h2>
      <div className="kit-row">
        {badges.map(badge => (
          <Badge key={`${badge.word}${badge.tone}${badge.icon}`} {...badge} />
        ))}
      </div>
      <div className="kit-row">
        {[-70, -80, -90, -100].map(dBm => (
          <SignalBars key={dBm} dBm={dBm} />
        ))}
        <SignalBars dBm={null} isQuiet />
      </div>
      <Ticks
        classes={['opened', 'probably_opened', 'did_not_open', 'not_called', 'denied', 'unknown', 'running']}
        columns={12}
        label="Seven openings"
      />
    </section>
  )
}

function Controls() {
  return (
    <section className="card">
      <h2>Buttons and fields</h2>
      <div className="kit-row">
        <Button look="filled">Save</Button>
        <Button>Read</Button>
        <Button look="soft">Share</Button>
        <Button look="quiet">Discard</Button>
        <Button look="danger">Deactivate</Button>
        <Button look="filled" busy="Saving…">
          Save
        </Button>
        <Button disabled>Not now</Button>
      </div>
      <div className="kit-two">
        <Field label="Name" value="Main barrier" change={none} isSent={false} hint="As people call it." />
        <Field
          label="Number"
          value="0040 722"
          change={none}
          isSent
          check={() => 'Too short: 8 to 15 digits.'}
        />
      </div>
    </section>
  )
}

function presses(): readonly Press[] {
  const now = nowMs()
  const end = { is: 'ended', reason: null, safeToRetry: false, readyAtMs: now + 3_000_000 } as const
  return [
    { is: 'ready' },
    { is: 'running', sinceMs: now, step: 'asked' },
    { is: 'running', sinceMs: now, step: 'asked', queue: { ahead: 1, aboutS: 8, inTime: true } },
    { is: 'running', sinceMs: now, step: 'asked', queue: { ahead: 2, aboutS: 11, inTime: true } },
    { is: 'running', sinceMs: now, step: 'asked', queue: { ahead: 2, aboutS: 31, inTime: false } },
    { is: 'running', sinceMs: now - 2_000, step: 'calling' },
    { is: 'running', sinceMs: now - 6_000, step: 'ringing' },
    { ...end, class: 'opened', readyAtMs: now + 3_000 },
    { ...end, class: 'unknown' },
    { ...end, class: 'did_not_open', reason: 'busy', safeToRetry: true },
    { ...end, class: 'denied' },
    { ...end, class: 'not_called', reason: 'gateway_offline', safeToRetry: true },
    { is: 'checking', sinceMs: now },
    { is: 'not_sent', why: 'lost', waitS: 0 },
    { is: 'not_sent', why: 'too_many', waitS: 12 },
  ]
}

function OpenButtons() {
  const words = useWords().openings
  return (
    <section>
      <h2>The open button on a card</h2>
      <div className="kit-buttons">
        {presses().map(press => (
          <div key={JSON.stringify(press)}>
            <OpenButton gate="gate" press={press} send={none} />
          </div>
        ))}
        <div>
          <OpenButton
            gate="gate"
            press={{ is: 'ready' }}
            send={none}
            unable={{ icon: 'noGateway', word: words.noGateway }}
          />
        </div>
      </div>
    </section>
  )
}

export function KitPage() {
  return (
    <main className="kit">
      <header className="kit-row">
        <Mark size={28} />
        <h1>Callgate kit</h1>
      </header>
      <ul className="kit-colours">
        {colours.map(name => (
          <li key={name} className="small">
            <span style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
      <Rings />
      <div className="kit-two">
        <Badges />
        <Controls />
      </div>
      <OpenButtons />
      <div className="kit-two">
        <section className="card">
          <Skeleton bars={[14, 10, 38]} />
        </section>
        <NotRead what="The openings" of={{ failure: notReached, readAgain: none, isReading: false }} />
      </div>
      <SaveBar says="Two changes are not saved." isBusy={false} save={none} discard={none} />
    </main>
  )
}
