// Bugs to plant in the wires, in signatures, in the driver of the modem, and across the house.

import type { PlantedBug } from './plant.ts'

const connection = 'contract/src/mqttConnection.ts'
const wire = 'cloud/src/gatewayWire.ts'
const signature = 'contract/src/signature.ts'
const verdict = 'modem/src/core/callVerdict.ts'

export const wireBugs: readonly PlantedBug[] = [
  {
    name: 'a message is retained',
    file: connection,
    find: 'client.publish(topic, payload, { qos: 1, retain: false }',
    replace: 'client.publish(topic, payload, { qos: 1, retain: true }',
    why: 'the broker says an old hint to every gateway that connects',
    judge: 'connection',
    breaks: 'P2',
  },
  {
    name: 'a retained message is heard',
    file: connection,
    find: 'if (!packet.retain) handlers.onMessage',
    replace: 'handlers.onMessage',
    why: 'whoever can leave a message at the broker is heard for ever',
    judge: 'connection',
    breaks: 'P2',
  },
  {
    name: 'published while offline',
    file: connection,
    find: 'if (!subscribed || !client.connected) return false\n',
    replace: '',
    why: 'mqtt.js keeps it and sends it whenever the network is back',
    judge: 'connection',
    breaks: 'P2',
  },
  {
    name: 'what was not acknowledged is sent on the next connection',
    file: connection,
    find: 'client.outgoingStore = new Store()',
    replace: 'void Store',
    why: 'mqtt.js does so in a clean session too, however much later',
    judge: 'connection',
    breaks: 'P2',
  },
  {
    name: 'a claim that nobody signed is heard',
    file: wire,
    find: 'if (!key || !isSignedBy(envelope.value, [key])) return',
    replace: 'if (!key) return',
    why: 'whoever reaches the broker claims for a gateway',
    judge: 'wires',
    breaks: 'G2',
  },
  {
    name: 'ack before commit',
    file: wire,
    find: "answer(envelope, 'ack', await exchange.report(report))",
    replace: "answer(envelope, 'ack', { result: 'applied' })\n      await exchange.report(report)",
    why: 'a report is forgotten by the gateway and lost by the cloud',
    judge: 'wires',
    breaks: 'A3',
  },
  {
    name: 'a signature that leaves the nonce out',
    file: signature,
    find: "nonce = '', bootId = '', seq = '' } = message",
    replace: "bootId = '', seq = '' } = message\n  const nonce = ''",
    why: 'an old grant can be made the answer to a new claim',
    judge: 'wires',
    breaks: 'G2',
  },
  {
    name: 'a signature that leaves the type out',
    file: signature,
    find: 'const { type, keyId,',
    replace: "const type = ''\n  const { keyId,",
    why: 'one kind of message can be passed for another',
    judge: 'wires',
    breaks: 'G2',
  },
  {
    name: 'a grant is never believed',
    file: 'gateway/src/cloudReader.ts',
    find: 'listeners.grant({ openingId, nonce, bootId, grant: body.value })',
    replace: '',
    why: 'nothing is ever dialled, which a judge of safety alone would praise',
    judge: 'driver',
    breaks: 'P1',
  },
  {
    name: 'a reject after ringing says that nothing moved',
    file: verdict,
    find: "return completed('rejected_after_ring', learnedConfidence(profile, trace.isEndSignalled))",
    replace: "return notOpened('failed', 'rejected', 'likely', true)",
    why: 'whoever is told to try again closes the gate',
    judge: 'driver',
    breaks: 'A3',
  },
  {
    name: 'NO ANSWER at the time of a reject counts as one',
    file: verdict,
    find: 'const nobody = mayBeItsReject ? undefined : judgeNobodyAnswered(trace)',
    replace: 'const nobody = isInside ? undefined : judgeNobodyAnswered(trace)',
    why: 'the network says that nobody took the call, and the press is told as opened',
    judge: 'driver',
    breaks: 'A3',
  },
  {
    name: 'ringing in vain counts as opened',
    file: verdict,
    find: "return notOpened('timeout', answers ? 'no_answer' : 'no_reaction', learnedConfidence(profile, true))",
    replace: "return completed('rang', 'assumed')",
    why: 'the record says that a gate opened which never moved',
    judge: 'driver',
    breaks: 'A3',
  },
  {
    name: 'a gate that nobody verified is judged likely',
    file: verdict,
    find: "confidence: isAssumed ? atMost('assumed', ofCall.confidence) : ofCall.confidence,",
    replace: "confidence: isAssumed ? 'likely' : ofCall.confidence,",
    why: 'more is said than anybody knows',
    judge: 'driver',
    breaks: 'A3',
  },
  {
    name: 'redial after silence',
    file: 'gateway/src/openings.ts',
    find: 'void modem.dial(request).then(result => {',
    replace: `const redial = () => modem.reserve().then(() => modem.dial({ ...request, mayDial: () => true }))
      const isInVain = (result: Awaited<ReturnType<typeof redial>>) =>
        result.dialled && result.verdict.opened === 'no'
      void modem.dial(request).then(first => (isInVain(first) ? redial() : first)).then(result => {`,
    why: 'a gate that was slow to react is called twice',
    judge: 'driver',
    breaks: 'P1',
  },
  {
    name: 'any boot may say that nothing was dialled',
    file: 'cloud/src/core/opening.ts',
    find: "if (report.phase === 'not_dialled' && opening.bootId !== bootId) return { kind: 'keep' }",
    replace: 'void bootId',
    why: 'a gateway with a wiped journal denies the call of the boot before it',
    judge: 'interleavings',
    breaks: 'A3',
  },
]
