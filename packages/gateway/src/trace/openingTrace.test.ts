import { type CallReason, reasons } from '@callgate/contract/call/reason'
import { exampleVerdict, type Verdict } from '@callgate/contract/call/verdict'
import type { CallFact } from '@callgate/modem/modem'
import { expect, it } from 'vitest'
import { daemonRig, granted, opened } from '../daemon.kit.ts'
import type { TraceLine } from '../local/localMessages.ts'
import { tellFact, tellVerdict } from './traceWords.ts'

async function traced(rig: Awaited<ReturnType<typeof daemonRig>>) {
  const lines: TraceLine[] = []
  const stop = rig.daemon.answers().trace(line => lines.push(line))
  return { lines, says: () => lines.map(({ says }) => says), stop }
}

it('reports an opening from the hint to its end, without its phone number', async () => {
  const rig = await daemonRig()
  rig.start()
  const { lines, says } = await traced(rig)
  rig.hint()
  await rig.world.until(() => rig.ofType('claim').length === 1)
  rig.hint()
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.until(() => rig.modem.written.length === 1)
  const [request] = rig.modem.dials
  const facts: readonly CallFact[] = [
    { fact: 'accepted' },
    { fact: 'state', state: 2, by: 'urc' },
    { fact: 'state', state: 3, by: 'urc' },
    { fact: 'state', state: 3, by: 'poll' },
    { fact: 'moRing' },
    { fact: 'token', token: 'BUSY' },
    { fact: 'state', state: 6, by: 'urc' },
  ]
  for (const fact of facts) request?.onFact?.(fact)
  await rig.world.advance(2_300)
  rig.modem.end(opened)
  await rig.world.until(() => rig.reports().includes('ended'))
  expect(says()).toEqual([
    'The cloud asks for an opening',
    'The modem is free. The gateway asks the cloud whether it may call',
    'The cloud allows the call',
    'The modem calls +40*****456, profile reject',
    'The modem takes the call to the network',
    'The network accepts the call',
    'It rings at the gate',
    'The call has ended',
    "The gate's module rejected the call after 3.4 s of ringing (BUSY, cause 17). The gate took the call. The gate has probably opened",
  ])
  expect(lines.at(-1)).toMatchObject({ openingId: rig.openingId, end: 'completed' })
  expect(lines.at(-1)?.atMs).toBeGreaterThanOrEqual(2_300)
  expect(JSON.stringify(lines)).not.toContain('722123')
})

it('reports why no call is made: a refusal of the cloud, a modem without network, or a late grant', async () => {
  const refused = await daemonRig()
  refused.start()
  const first = await traced(refused)
  refused.hint()
  await refused.world.until(() => refused.ofType('claim').length === 1)
  refused.answer('grant', refused.last('claim'), { granted: false, reason: 'already_granted' })
  expect(first.lines.at(-1)).toMatchObject({ says: 'Another gateway calls this gate', end: 'not_called' })

  const away = await daemonRig()
  away.modem.set({ state: 'no_network' })
  away.start()
  const second = await traced(away)
  away.hint()
  await away.world.until(() => away.reports().includes('declined'))
  expect(second.lines.at(-1)).toMatchObject({
    says: "The gateway's modem has no mobile network, so the gate was not called",
    advice: expect.stringContaining('antenna'),
    end: 'declined',
  })

  const late = await daemonRig()
  late.start()
  const third = await traced(late)
  late.hint()
  await late.world.until(() => late.reports().includes('not_dialled'), 30_000)
  expect(third.lines.at(-1)).toMatchObject({ end: 'not_called' })
})

it('reports nothing of an opening that began before, nor to a listener that has left', async () => {
  const rig = await daemonRig()
  rig.start()
  rig.hint()
  await rig.world.until(() => rig.ofType('claim').length === 1)
  const { lines, stop } = await traced(rig)
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.until(() => rig.modem.written.length === 1)
  rig.modem.end(opened)
  await rig.world.until(() => rig.reports().includes('ended'))
  stop()
  rig.hint()
  await rig.world.advance(3_000)
  expect(lines).toEqual([])
})

it('keeps typed lines from the modem while an opening waits or runs', async () => {
  const rig = await daemonRig()
  rig.start()
  const { at } = rig.daemon.answers()
  expect(await at('AT+CSQ')).toEqual({ result: 'ok', lines: ['+CSQ: 20,0'], why: null })
  rig.hint()
  expect(await at('AT+CSQ')).toMatchObject({ result: 'refused', lines: [] })
})

it('sends typed lines to the modem one by one, so that an opening waits for one at most', async () => {
  const rig = await daemonRig()
  rig.start()
  const { at } = rig.daemon.answers()
  const [one, other] = await Promise.all([at('AT+CSQ'), at('AT+CSQ')])
  expect(one).toMatchObject({ result: 'ok' })
  expect(other).toMatchObject({ result: 'refused', why: expect.stringContaining('from elsewhere') })
  expect(await at('AT+CSQ')).toMatchObject({ result: 'ok' })
})

const verdictOf = (changed: Partial<Verdict>): Verdict => ({ ...exampleVerdict, ...changed })

it('explains every reason, and advises calibration where the profile was not learned', () => {
  for (const reason of Object.keys(reasons) as CallReason[]) {
    const { says } = tellVerdict(verdictOf({ reason }), true)
    expect(says.length).toBeLessThanOrEqual(300)
    expect(says).not.toMatch(/PATCH|\.\.|undefined/)
  }
  expect(tellVerdict(verdictOf({}), true).advice).toBe(null)
  expect(tellVerdict(verdictOf({}), false).advice).toContain('calibration')
  expect(
    tellVerdict(verdictOf({ status: 'timeout', reason: 'no_reaction', opened: 'no', ringMs: 30_000 }), true),
  ).toMatchObject({
    says: expect.stringContaining('It rang for 30.0 s'),
    advice: expect.stringContaining('Allow'),
  })
  expect(
    tellVerdict(verdictOf({ reason: 'answered_released', talkMs: 2_000, endToken: null, cause: null }), true)
      .says,
  ).toBe(
    'The call lasted 2.0 s after it was answered. The gate answered and took the call. The gate has probably opened',
  )
  expect(tellVerdict(verdictOf({ reason: 'bad_number', ringMs: null, opened: 'no' }), true).says).toBe(
    "The network says that the gate's number does not exist. The gate did not open",
  )
})

it('describes the facts of a call that help a person, and ignores the others', () => {
  const told: readonly CallFact[] = [
    { fact: 'refused', error: { code: 3, text: '+CME ERROR: operation not allowed' } },
    { fact: 'connected', text: 'MO CONNECTED' },
    { fact: 'released', text: 'CDRIND 0' },
    { fact: 'hangUp', why: 'rangLongEnough' },
    { fact: 'voltage', text: 'UNDER-VOLTAGE WARNNING' },
    { fact: 'lost', why: 'restarted' },
    { fact: 'registration', isRegistered: false },
    { fact: 'otherCall' },
    { fact: 'confirmed', by: 'sms', mayBeLate: false },
    { fact: 'confirmed', by: 'callback', mayBeLate: false },
    { fact: 'unconfirmed' },
  ]
  for (const fact of told) expect(tellFact(fact)?.says).toMatch(/^[A-Z]/)
  const untold: readonly CallFact[] = [
    { fact: 'emptyList' },
    { fact: 'registration', isRegistered: true },
    { fact: 'state', state: 4, by: 'urc' },
  ]
  for (const fact of untold) expect(tellFact(fact)).toBe(undefined)
})
