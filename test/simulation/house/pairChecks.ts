// Checks of a simulation with two clouds: which cloud grants, how claims are answered, and who learns of an end.

import type { Span } from '../../checker/facts.ts'
import { checkRotation } from './keyRotation.ts'
import type { PairHouse } from './pairHouse.ts'
import type { SaidGrant } from './replicaRun.ts'

interface Facts {
  readonly house: PairHouse
  /** When the broker restarted. */
  readonly restarts: readonly number[]
  /** When the clock of the database was set. */
  readonly clockSets: readonly number[]
  /** When a cloud did not get the answer to its commit. */
  readonly lostAnswers: readonly number[]
}

const isGrant = ({ body }: SaidGrant) => (JSON.parse(body) as { granted: boolean }).granted

/** Promise P1: an opening is granted to one claim, by whichever cloud. */
function grantedOnce({ house: { said } }: Facts): string[] {
  const claims = new Map<string, Set<string>>()
  for (const { gatewayId, nonce, openingId } of said.filter(isGrant))
    claims.set(openingId, (claims.get(openingId) ?? new Set()).add(`${gatewayId} ${nonce}`))
  return [...claims].flatMap(([id, { size }]) =>
    size > 1 ? [`P1: ${id} was granted to ${size} claims`] : [],
  )
}

/** Promise P1: no cloud refuses a claim that another one grants later. A granted claim is refused once its opening has ended. */
function oneAnswer({ house: { said } }: Facts): string[] {
  const isSame = (one: SaidGrant, other: SaidGrant) =>
    one.openingId === other.openingId && one.nonce === other.nonce
  return said.flatMap((refusal, place) => {
    if (isGrant(refusal) || said.slice(0, place).some(one => isSame(one, refusal) && isGrant(one))) return []
    const isGranted = said.slice(place).some(one => isSame(one, refusal) && isGrant(one))
    return isGranted
      ? [`P1: a claim of ${refusal.openingId} was refused by ${refusal.cloud} and granted then`]
      : []
  })
}

const answeredWithinMs = 500
/** A cloud whose clock stopped, or whose database's clock was set, knows the right time again after its next renewal. */
const renewedWithinMs = 1_500

const meets = (spans: readonly Span[], fromMs: number, toMs: number) =>
  spans.some(span => span.fromMs <= toMs && fromMs <= span.toMs)

/**
 * Promise P1: only a cloud with a valid lease grants. Its transaction checks the lease and then writes: where statements take
 * long, or its machine stalls between them, the lease may end in between. After a stall, the statements that are left take their
 * time. Nobody takes the opening over before the end of that transaction, which holds the Space's lock.
 */
async function grantedWithLease({ house }: Facts): Promise<string[]> {
  const grants = await house.grants()
  return grants.flatMap(({ atMs, id, isLeased }) => {
    const granting = house.said.find(one => isGrant(one) && one.openingId === id)?.cloud
    const stood = house.clouds.flatMap(({ machine, name }) => (name === granting ? machine.stood() : []))
    const stalls = stood.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + house.transactionMs() }))
    const isHeld = meets([...house.slow(), ...stalls], atMs, atMs)
    return isLeased || isHeld ? [] : [`P1: ${id} was granted without a lease`]
  })
}

/** Promise A2: a claim on an opening whose cloud is gone is answered at once, by any cloud that receives it. */
async function answered({ clockSets, house, lostAnswers, restarts }: Facts): Promise<string[]> {
  const { clouds, said, world } = house
  const heard = await Promise.all(
    house.heard.map(async claim => ({ ...claim, mustRefuse: await claim.mustRefuse })),
  )
  return heard.flatMap(({ atMs, cloud, mustRefuse, nonce, openingId }) => {
    const byMs = atMs + answeredWithinMs
    if (!mustRefuse || byMs > world.monotonicMs()) return []
    const unable = clouds.find(({ name }) => name === cloud)?.unable() ?? []
    const isCut = restarts.some(restartMs => restartMs >= atMs - 4_000 && restartMs <= byMs)
    const { machine } = clouds.find(({ name }) => name === cloud) ?? {}
    const wokenMs = machine?.stood().map(({ toMs }) => toMs) ?? []
    const isWrongClock = [...clockSets, ...wokenMs].some(
      setMs => setMs <= byMs && atMs <= setMs + renewedWithinMs,
    )
    // The gateway asks again within a second.
    const isAnswerLost = lostAnswers.some(lostMs => atMs <= lostMs && lostMs <= byMs)
    if (isCut || isWrongClock || isAnswerLost || meets([...unable, ...house.locked()], atMs, byMs)) return []
    const isAnswered = said.some(
      one => one.nonce === nonce && one.openingId === openingId && one.atMs >= atMs && one.atMs <= byMs,
    )
    return isAnswered ? [] : [`A2: a claim of ${openingId} at ${atMs} ms had no answer from ${cloud}`]
  })
}

/** How soon a cloud knows of an end that another one has committed: it checks each second. */
const toldWithinMs = 2_500

/** Promise A2: whoever waits at a cloud learns of the end, whichever cloud committed it. */
async function told({ house }: Facts): Promise<string[]> {
  const times = await house.times()
  return house.waiters.flatMap(({ cloud, fromMs, openingId, untilMs = Number.POSITIVE_INFINITY }) => {
    const endedMs = times.get(openingId)?.endedMs
    if (endedMs === null || endedMs === undefined || endedMs > fromMs + 47_000) return []
    const byMs = Math.max(fromMs, endedMs) + toldWithinMs
    if (byMs > house.world.monotonicMs() || meets(cloud.unable(), fromMs - 1, byMs)) return []
    return untilMs <= byMs ? [] : [`A2: ${cloud.name} did not tell that ${openingId} has ended`]
  })
}

/** Promise A2: each cloud is back after the faults, whichever version has migrated the tables. */
function serving({ house: { clouds } }: Facts): string[] {
  return clouds.flatMap(({ name, run }) => (run().life.isDead() ? [`A2: ${name} is not back`] : []))
}

/** Promise A2: a rotation of the signing key loses no gateway. */
const rotated = ({ house: { ids, rotation } }: Facts): readonly string[] =>
  rotation ? checkRotation(rotation, ids.gatewayIds) : []

const checks = [grantedOnce, oneAnswer, grantedWithLease, answered, told, serving, rotated]

/** All violations, each as a readable line that begins with the code of its promise. */
export async function checkPair(house: PairHouse): Promise<string[]> {
  const timesOf = (name: string, what: string) =>
    house.world.lines.flatMap(({ atMs, fields, message }) =>
      fields.who === name && message === what ? [atMs] : [],
    )
  const facts = {
    house,
    restarts: timesOf('broker', 'restarts'),
    clockSets: timesOf('database', 'its clock is set'),
    lostAnswers: house.clouds.flatMap(({ name }) => timesOf(name, 'does not hear that it has committed')),
  }
  return (await Promise.all(checks.map(check => check(facts)))).flat()
}

/** The time of a lease and a renewal, with their delays. */
const takenOverWithinMs = 7_000

/** When no cloud could do its work, up to the time at which that work was taken over. */
export function awayOf({ clouds }: PairHouse): readonly Span[] {
  const [one = [], other = []] = clouds.map(({ unable }) => unable())
  const both = one.flatMap(a =>
    other.flatMap(b => {
      const span = {
        fromMs: Math.max(a.fromMs, b.fromMs),
        toMs: Math.min(a.toMs, b.toMs) + takenOverWithinMs,
      }
      return span.fromMs < span.toMs - takenOverWithinMs ? [span] : []
    }),
  )
  const each = [...one, ...other].map(({ fromMs, toMs }) => ({
    fromMs,
    toMs: Math.min(toMs + 3_000, fromMs + takenOverWithinMs),
  }))
  // The work of a run waits for the end of its lease, however soon its cloud is started again.
  const died = clouds
    .flatMap(({ deaths }) => deaths)
    .map(fromMs => ({ fromMs, toMs: fromMs + takenOverWithinMs }))
  return [...both, ...each, ...died].sort((a, b) => a.fromMs - b.fromMs)
}
