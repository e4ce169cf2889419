// The operator's command that calibrates a gate: what it does and prints.

import {
  type CalibrationAnswer,
  type CalibrationCall,
  calibrationAppOperations,
} from '@callgate/contract/app/calibration'
import type { CalibrationWarning, CallEnd, CannotTell } from '@callgate/contract/call/calibrationWords'
import { isoTime } from '@callgate/world/world'
import { calibrationHandlers, prepareByKey } from '../calibration/calibrationHandlers.ts'
import { createApiKey, revokeApiKey } from '../space/apiKeys.ts'
import { actor, type CommandParts, type CommandWork, type Options, refuse, type Said } from './commandWork.ts'
import { isRefused, type Operator, operatorIn } from './operator.ts'

const endSays: Readonly<Record<CallEnd, string>> = {
  rejected: 'rejected',
  untaken: 'ended by the network: nobody took it',
  answered_released: 'answered, and hung up by the gate',
  answered_held: 'answered, and hung up by us',
  rang: 'rang until we hung up',
  ended_unrung: 'ended, without reported ringing',
  no_ringing: 'no ringing reported',
  blind: 'the modem does not show how it ended',
  unclear: 'says nothing; make it again',
}

const whySays: Readonly<Record<CannotTell, string>> = {
  never_moved: 'the gate never moved. Its module may not know the number of the gateway.',
  moved_sometimes: 'the gate moved after some calls only.',
  differs: 'the calls went differently.',
  seconds_missing: 'it depends on when the gate moved: answer again with --after.',
  seconds_differ: 'the seconds do not fit the calls: answer again with --after.',
  moved_late: 'the gate moved later than a call may ring.',
  modem_blind: 'this modem does not show whether the gate answers or rejects.',
  no_ringing: 'the network reports too little of these calls.',
  diverted: 'the SIM card in the gate forwards calls, or has call waiting: ##002# and #43# switch that off.',
  answered_late: 'something answered so late that it may be a voicemail: ##002# switches it off.',
  ended_by_network: 'the network ended the calls, not the gate.',
}

const warningSays: Readonly<Record<CalibrationWarning, string>> = {
  no_gateway: 'no gateway is online that may call this gate; see "callgate gate gateways".',
  modem_not_ready: 'its modem is not ready for a call; see "callgate-gateway doctor" there.',
  not_registered: 'the mobile network has not let its modem in.',
  number_hidden: 'its number is hidden, so no gate can know it: ask the operator to show it.',
  number_not_told:
    'its modem does not say whether gates see its number: call a phone with that SIM card, and look.',
  signal_weak: 'its signal is below -93 dBm: put the antenna outside, or higher.',
  signal_unknown: 'its modem tells no signal.',
  supply_low: 'its supply is below 3.5 V: use one of 2 A, close to the modem.',
}

/** What may spoil a test call, and what to prepare at the gate itself. */
function before({ gateway, warnings }: CalibrationAnswer['checks']): readonly string[] {
  const whose = gateway ? `Look first at ${gateway.name}` : 'Look first'
  return warnings.map(warning => `${whose}: ${warningSays[warning]}`)
}

const gateSim =
  'Of the SIM card in the gate: forwarding, voicemail and call waiting off; from a phone with that card ##002# and #43#.'

const inSeconds = (ms: number | null) => (ms === null ? '' : ` after ${(ms / 1_000).toFixed(1)} s`)

function lineOf(call: CalibrationCall, place: number): string {
  const { afterS, end, hasMoved, isHidden, ringMs } = call
  const moved = afterS === null ? 'the gate moved' : `the gate moved after ${afterS} s`
  const seen = hasMoved === null ? [] : [hasMoved ? moved : 'the gate stood still']
  const ended = end === null ? 'runs' : `${endSays[end]}${end === 'rejected' ? inSeconds(ringMs) : ''}`
  return `${place + 1}. ${[ended, ...(isHidden ? ['number hidden'] : []), ...seen].join('; ')}`
}

/** The next possible steps, as a person types them. */
function nextOf({
  callsLeft,
  proposal,
  restMs,
  step,
}: NonNullable<CalibrationAnswer['calibration']>): string {
  switch (step) {
    case 'call':
      return `${callsLeft} more ${callsLeft === 1 ? 'call' : 'calls'}: --step call${restMs > 0 ? `, in ${Math.ceil(restMs / 1_000)} s` : ''}. Stand where you see the gate: it will move.`
    case 'calling':
      return 'The call runs.'
    case 'answer':
      return 'Did the gate move? --step moved --after SECONDS (from the press), or --step still.'
    case 'decide':
      return proposal?.profile
        ? `The calls show: ${proposal.profile.mode}. Save it with --step accept, or --step end.\n${JSON.stringify(proposal.profile, null, 2)}`
        : `The calls do not tell: ${proposal?.why ? whySays[proposal.why] : ''} End with --step end.`
  }
}

function show({ calibration, checks, doubts, learnedFrom }: CalibrationAnswer): string {
  const from = learnedFrom
    ? `Measured ${learnedFrom.at} by ${learnedFrom.modem ?? 'a modem'} on ${learnedFrom.operator ?? 'a network'}.`
    : 'Not measured.'
  const doubtful = doubts.length > 0 ? [`Calls no longer fit it: ${doubts.join(', ')}. Calibrate again.`] : []
  if (!calibration) {
    const isWanted = !learnedFrom || doubts.length > 0
    const first = isWanted ? [...before(checks), gateSim] : []
    return [from, ...doubtful, ...first, 'Begin with --step start.'].join('\n')
  }
  const mayCall = calibration.step === 'call' ? before(checks) : []
  return [...calibration.calls.map(lineOf), ...mayCall, nextOf(calibration)].join('\n')
}

interface Desk {
  readonly parts: CommandParts
  readonly operator: Operator
  readonly gateId: string
  readonly does: ReturnType<typeof calibrationHandlers>
}

const read = ({ does, gateId, operator }: Desk) =>
  operator.call(calibrationAppOperations.getCalibration, does.getCalibration, { params: { gateId } })

/** Opens the gate through the serving cloud; undefined once that has answered with an opening. */
async function press({ gateId, parts }: Desk, key: string): Promise<string | undefined> {
  const { appUrl } = parts.config
  try {
    const answer = await fetch(`${appUrl}/api/v1/gates/${gateId}/open`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
    const { error } = (await answer.json()) as { error?: { message: string; openingId?: string } }
    return error && error.openingId === undefined ? error.message : undefined
  } catch (error) {
    return `The cloud cannot be reached at ${appUrl}: ${error instanceof Error ? error.message : String(error)}. It has to serve.`
  }
}

const pollMs = 1_000
/** More polls than a call can last. */
const polls = 100

/** Makes a test call with a key that exists only for the call. */
async function makeCall(desk: Desk, isHidden: boolean): Promise<Said> {
  const { gateId, operator, parts } = desk
  const { world } = parts
  const { spaceId } = operator
  const expiresAt = isoTime(world.nowMs() + 5 * 60_000)
  const key = await createApiKey(parts, {
    spaceId,
    name: 'calibration',
    scopes: ['gates:open'],
    expiresAt,
    actor,
  })
  // Not tested: the Space is gone; it was found just before.
  if (!key) return refuse('The Space is gone.')
  try {
    const fault = await prepareByKey(parts, { spaceId, gateId }, { askerId: key.apiKeyId, isHidden })
    if (fault) return refuse(fault.message)
    const earlier = await read(desk)
    const trouble = await press(desk, key.key)
    if (trouble !== undefined) return refuse(trouble)
    for (let poll = 0; poll < polls; poll++) {
      const now = await read(desk)
      if (!now.ok) return now
      const count = (answer: typeof now) => answer.body.calibration?.calls.length ?? 0
      if (earlier.ok && count(now) === count(earlier))
        return refuse(
          'No test call came of it: somebody else called the gate, or no gateway could. Look at the history.',
        )
      if (now.body.calibration?.step !== 'calling') return { ok: true, json: now.body, text: show(now.body) }
      await new Promise<void>(resolve => world.after(pollMs, resolve))
    }
    return refuse('The call has not ended in time. Look at the history.')
  } finally {
    await revokeApiKey(parts, { apiKeyId: key.apiKeyId, actor })
  }
}

/** Records whether the gate moved, for the call that waits for it, or for the last one again. */
async function answer(desk: Desk, hasMoved: boolean, after: string | undefined): Promise<Said> {
  const now = await read(desk)
  if (!now.ok) return now
  const clear = (now.body.calibration?.calls ?? []).filter(({ end }) => end !== null && end !== 'unclear')
  const call = clear.find(one => one.hasMoved === null) ?? clear.at(-1)
  if (!call) return refuse('There is no test call yet.')
  const afterS = after === undefined ? null : Number(after)
  if (after !== undefined && !(/^[0-9]{1,3}$/.test(after) && Number(after) <= 120))
    return refuse('--after must be seconds from 0 to 120, such as 8.')
  const body = { openingId: call.openingId, hasMoved, afterS }
  return change(desk, 'answerTestCall', body)
}

type Change = 'startCalibration' | 'answerTestCall' | 'acceptCalibration' | 'endCalibration'

async function change({ does, gateId, operator }: Desk, name: Change, body?: object): Promise<Said> {
  const given = { params: { gateId }, ...(body && { body }) }
  const done = await operator.call(calibrationAppOperations[name], does[name], given)
  return done.ok ? { ok: true, json: done.body, text: show(done.body) } : done
}

const steps: Readonly<Record<string, (desk: Desk, options: Options) => Promise<Said>>> = {
  start: desk => change(desk, 'startCalibration'),
  call: desk => makeCall(desk, false),
  'call-hidden': desk => makeCall(desk, true),
  moved: (desk, { after }) => answer(desk, true, after),
  still: desk => answer(desk, false, undefined),
  accept: desk => change(desk, 'acceptCalibration', {}),
  end: desk => change(desk, 'endCalibration'),
}

export const calibrateWork = {
  async calibrate(parts, options) {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const desk: Desk = { parts, operator, gateId: options['gate'] ?? '', does: calibrationHandlers(parts) }
    const step = steps[options['step'] ?? '']
    if (step) return step(desk, options)
    const now = await read(desk)
    return now.ok ? { ok: true, json: now.body, text: show(now.body) } : now
  },
} satisfies Record<string, CommandWork>
