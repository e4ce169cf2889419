// Checks the clock by the date in an HTTPS answer, because with a wrong clock every certificate looks wrong.

import { access } from 'node:fs/promises'
import { request } from 'node:https'
import type { World } from '@callgate/world/world'
import { type Found, fail, ok, unknown } from './check.ts'

const patienceMs = 5_000
/** Certificates tolerate more, but a log that is minutes off is useless. */
const furthestMs = 60_000

/**
 * The date in the answer of `url`, milliseconds since the epoch. The certificate is not checked, because a wrong clock would
 * reject it. A false answer could spoil this check, and nothing else.
 */
function askTime(world: World, url: string): Promise<number | undefined> {
  return new Promise(resolve => {
    const asked = request(url, { method: 'HEAD', rejectUnauthorized: false }, answer => {
      const ms = Date.parse(answer.headers.date ?? '')
      end(Number.isNaN(ms) ? undefined : ms)
    })
    const end = (ms: number | undefined) => {
      limit.cancel()
      asked.destroy()
      resolve(ms)
    }
    const limit = world.after(patienceMs, () => end(undefined))
    asked.on('error', () => end(undefined))
    asked.end()
  })
}

function isKept(): Promise<boolean> {
  return access('/run/systemd/timesync/synchronized').then(
    () => true,
    () => false,
  )
}

/** `url` is asked for the time; it may be the web address of the broker's host. */
export async function checkClock(world: World, url: string): Promise<Found> {
  const startMs = world.nowMs()
  const theirs = await askTime(world, url)
  const now = `It is ${new Date(startMs).toISOString().slice(0, 19)}Z here`
  const advice =
    'Let systemd-timesyncd keep it: timedatectl set-ntp true. A Pi without a network starts in the past'
  if (theirs === undefined)
    return (await isKept())
      ? ok(`${now}; systemd-timesyncd keeps it`)
      : unknown(`${now}; nothing to compare it with`, advice)
  const offMs = (startMs + world.nowMs()) / 2 - theirs
  if (Math.abs(offMs) <= furthestMs) return ok(`${now}, as at ${new URL(url).host}`)
  const size = `${Math.round(Math.abs(offMs) / 1_000)} s ${offMs > 0 ? 'ahead of' : 'behind'} ${new URL(url).host}`
  return fail(`${now}, which is ${size}`, advice)
}
