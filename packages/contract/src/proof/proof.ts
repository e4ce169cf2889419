// Proofs: what a gateway has signed about an opening, with the grant and the keys, as a file that anybody can check.

import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { hasRung } from '../call/openingClass.ts'
import { reasons } from '../call/reason.ts'
import { Opening } from '../rest/opening.ts'
import { closed, inOneLine, instant, nullable } from '../text.ts'
import { type Checked, checker, readBody } from '../validate.ts'
import { Envelope, type Report, tellsOfCall } from '../wire/messages.ts'
import { isSignedBy, type SigningKey, type VerifyingKey, verifyingKey } from '../wire/signature.ts'

const publicKey = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
const kind = 'callgate-proof-1'

const ProofBody = closed({
  issuedAt: instant('When the cloud made the proof'),
  spaceName: Type.String(),
  opening: Opening,
  reason: nullable(Type.String()),
  opened: nullable(Type.String()),
  confidence: nullable(Type.String()),
  joinedOpeningId: nullable(Type.String()),
  gateways: Type.Array(closed({ id: Type.String(), name: Type.String(), publicKey })),
  grant: nullable(Envelope),
  /** The public key of the cloud that signed the grant. Present only where another key signed the proof. */
  grantKey: Type.Optional(publicKey),
  reports: Type.Array(closed({ receivedAt: instant('By the clock of the cloud'), message: Envelope })),
})
export type ProofBody = Static<typeof ProofBody>

const ProofFile = closed({
  kind: Type.Literal(kind),
  /** The public key of the cloud. */
  publicKey,
  /** JSON as text, so that exactly the signed bytes are read. */
  body: Type.String(),
  signature: Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' }),
})
type ProofFile = Static<typeof ProofFile>

const checkFile = checker(ProofFile, 'the file')
const checkBody = checker(ProofBody, 'the body')

function signedBytes({ body, publicKey: key }: Pick<ProofFile, 'body' | 'publicKey'>): Buffer {
  const digest = createHash('sha256').update(body, 'utf8').digest('hex')
  return Buffer.from(`${kind}|${key}|${digest}`, 'utf8')
}

/** The only form of a file, so that even a changed blank is detected. */
const textOf = (file: ProofFile) => `${JSON.stringify(file)}\n`

/** The proof as the text of a file, signed by the cloud. */
export function sealProof(key: SigningKey, content: ProofBody): string {
  const unsigned = { publicKey: key.publicKey, body: JSON.stringify(content) }
  const signature = key.sign(signedBytes(unsigned)).toString('base64url')
  return textOf({ kind, ...unsigned, signature })
}

const refuse = (message: string) => ({ ok: false, message }) as const

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The file with the cloud's key, if the cloud has signed every byte of it. */
function readFile(text: string): Checked<{ readonly file: ProofFile; readonly key: VerifyingKey }> {
  const value = parsed(text)
  const file = checkFile(value)
  if (!file.ok) return refuse('This is no proof of an opening.')
  if (textOf(file.value) !== text) return refuse('The file was changed after the cloud signed it.')
  const key = verifyingKey(file.value.publicKey)
  const signature = Buffer.from(file.value.signature, 'base64url')
  const isOneForm = signature.toString('base64url') === file.value.signature
  if (!key || !isOneForm || !key.verify(signedBytes(file.value), signature))
    return refuse('The file was changed after the cloud signed it.')
  return { ok: true, value: { file: file.value, key } }
}

/** What is wrong with the grant; undefined where nothing is. */
function grantFault(
  { grant, grantKey, opening, ...proof }: ProofBody,
  cloudKey: VerifyingKey,
): string | undefined {
  if (!grant) return undefined
  const key = grantKey === undefined ? cloudKey : verifyingKey(grantKey)
  const isOurs = grant.type === 'grant' && key && isSignedBy(grant, [key])
  const read = readBody(grant, 'grant')
  if (!isOurs || !read.ok || !read.value.granted) return 'The cloud has not signed the grant.'
  const isAbout = grant.openingId === (proof.joinedOpeningId ?? opening.id)
  const isKnown = proof.gateways.some(({ id }) => id === grant.gatewayId)
  return isAbout && isKnown ? undefined : 'The grant is of another opening or gateway.'
}

/** What is wrong with the reports; undefined where nothing is. */
function reportFault({ gateways, opening, reports, ...proof }: ProofBody): string | undefined {
  const last = new Map<string, number>()
  for (const { message } of reports) {
    const { bootId = '', gatewayId, openingId, seq = 0, type } = message
    const gateway = gateways.find(({ id }) => id === gatewayId)
    const key = gateway && verifyingKey(gateway.publicKey)
    if (!key || type !== 'report' || !isSignedBy(message, [key]))
      return 'A report is not signed by the gateway that it names.'
    const read = readBody(message, 'report')
    if (!read.ok) return 'A report cannot be read.'
    if (openingId !== (proof.joinedOpeningId ?? opening.id)) return 'A report is of another opening.'
    if (tellsOfCall(read.value) && gatewayId !== proof.grant?.gatewayId)
      return 'A report tells of a call by a gateway that was granted none.'
    const start = `${gatewayId} ${bootId}`
    if (seq <= (last.get(start) ?? 0)) return 'The reports are not in the order in which they were signed.'
    last.set(start, seq)
  }
  return undefined
}

function reportsOf(proof: ProofBody): readonly { readonly by: string; readonly report: Report }[] {
  return proof.reports.flatMap(({ message }) => {
    const read = readBody(message, 'report')
    return read.ok ? [{ by: message.gatewayId, report: read.value }] : []
  })
}

const saidOf = (word: string) => (Object.hasOwn(reasons, word) ? reasons[word as keyof typeof reasons] : word)

const phaseWords = {
  declined: 'that it does not call',
  not_dialled: 'that it did not dial',
  ringing: 'that the gate is ringing',
  answered: 'that the call was answered',
  ended: 'how the call ended',
} as const satisfies Record<Report['phase'], string>

/** What the reports say, in plain words. */
function sayReports(proof: ProofBody): string[] {
  const nameOf = (id: string) => {
    const { name = '' } = proof.gateways.find(gateway => gateway.id === id) ?? {}
    return `${inOneLine(name)} (${id})`
  }
  const told = reportsOf(proof)
  if (told.length === 0) return ['No gateway has reported on it.']
  const lines = told.map(
    ({ by, report }) => `The gateway ${nameOf(by)} has signed ${phaseWords[report.phase]}.`,
  )
  const ended = told.findLast(({ report }) => report.phase === 'ended')?.report
  if (ended?.phase !== 'ended') return lines
  const { confidence, opened, reason } = ended.verdict
  lines.push(
    `Its verdict: ${saidOf(reason)} Did the gate open: ${opened} (${confidence}).${hasRung(reason) ? ' The gate was ringing.' : ''}`,
  )
  const isSame = reason === proof.reason && opened === proof.opened && confidence === proof.confidence
  if (!isSame) lines.push('The record of the cloud says otherwise than this report.')
  return lines
}

/** Whether a call was granted. A record that does not know what happened may have lost the grant. */
function sayGrant({ grant, grantKey, opened, reason }: ProofBody): string {
  if (grant) {
    const ofThatTime = grantKey === undefined ? '' : `, signed with its key ${grant.keyId} of that time`
    return `The cloud has granted one call to the gateway ${grant.gatewayId}${ofThatTime}.`
  }
  if (reason === null) return 'No call was granted when the proof was made. It was still waiting.'
  if (opened === 'no') return 'No call was granted: nothing was dialled for it.'
  return 'The record has no grant of a call, and does not know what happened: its data had gone back.'
}

/**
 * What a valid proof shows and does not show, in plain words. Anybody can sign a file with their own key. So each name is
 * put in one line, and cannot add a line to this text.
 */
function say(proof: ProofBody, key: VerifyingKey): string[] {
  const { calledAt, id, status } = proof.opening
  const [gate, space, by] = [proof.opening.gateName, proof.spaceName, proof.opening.openedBy.name].map(
    inOneLine,
  )
  const joined = proof.joinedOpeningId
  return [
    `The proof holds. The cloud with the key ${key.keyId} has signed it, at ${proof.issuedAt}.`,
    `Opening ${id} of the gate ${gate} in ${space}, pressed at ${calledAt} by ${by}; status ${status}.`,
    ...(joined === null ? [] : [`It joined the call of ${joined}, which the rest is about.`]),
    sayGrant(proof),
    ...sayReports(proof),
    'It does not prove who pressed, when, or how the gate is called: that is what the cloud says. Nor does it prove that the gate moved.',
  ]
}

/**
 * Whether a proof is valid: every byte of the file is as the cloud signed it, each report is signed by its gateway, and all
 * reports are about one opening and in order. `cloudKey` is the public key that the cloud must have, or one of several; without
 * it, any is accepted.
 */
export function checkProof(
  text: string,
  cloudKey?: string | readonly string[],
): Checked<{ readonly proof: ProofBody; readonly keyId: string; readonly says: readonly string[] }> {
  const read = readFile(text)
  if (!read.ok) return read
  const { file, key } = read.value
  if (cloudKey !== undefined && ![cloudKey].flat().includes(file.publicKey))
    return refuse(`Another cloud has signed the proof: its key is ${file.publicKey}.`)
  const body = checkBody(parsed(file.body))
  if (!body.ok) return refuse('The proof is of another version of Callgate.')
  const proof = body.value
  const fault = grantFault(proof, key) ?? reportFault(proof)
  return fault === undefined
    ? { ok: true, value: { proof, keyId: key.keyId, says: say(proof, key) } }
    : refuse(fault)
}
