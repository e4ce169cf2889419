// Sign-in limits: how many wrong passwords are taken, counted so that a stranger can lock nobody out.

import type { Problem } from '@callgate/contract/rest/problem'
import type { Limits, Taken } from '../limit/limits.ts'

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
const monthMs = 30 * dayMs

/** Somebody who wants to sign in. */
export interface Attempt {
  readonly email: string
  readonly addressGroup: string
  /** The browser, where this very account was signed in to on it before; else undefined. */
  readonly deviceId: string | undefined
}

export interface SignInLimits {
  /**
   * Counts an attempt before its password is looked at, so that many at once are counted too. What it counted is given back
   * where the password was right, or was not looked at.
   */
  begin(attempt: Attempt): Taken | Promise<Taken>
  /**
   * Counts a code of the app as wrong before it is looked at, for weeks and whatever right codes come meanwhile: `factor` names the
   * app of an account. What it counted is given back where the code was right.
   */
  beginCode(attempt: { readonly factor: string } & Pick<Attempt, 'deviceId'>): Taken | Promise<Taken>
}

/** What is answered instead of looking at the password. */
export function tooMany(againInMs: number): Problem {
  const afterS = Math.ceil(againInMs / 1000)
  return {
    problem: 'rate_limited',
    message: `There were too many wrong passwords. Another is taken in ${afterS} s. A browser on which you have signed in before is not affected.`,
    headers: { 'Retry-After': String(afterS) },
  }
}

/**
 * Limits of wrong passwords. A browser on which the account was signed in to before is counted alone, so no stranger can shut
 * it out: 100 a day. All other browsers are counted together: by account and network, by network, and by account, which stops guesses
 * from many networks at once (NIST SP 800-63B: at most 100 in a row).
 *
 * Codes of an app have six digits, and a right one begins the hundred in a row anew. So in 30 days all strange browsers together
 * get 100 wrong ones for an account, and each known browser has 100 of its own: some 1,200 a year hit one of three codes in a million
 * with 0.4 %. A known browser is not shut out by strangers, and a recovery code is always looked at.
 */
export function createSignInLimits(limits: Limits): SignInLimits {
  const limitGroup = limits.group({
    'sign-in by device': { most: 10, windowMs: quarterMs },
    'sign-in by device in a day': { most: 100, windowMs: dayMs },
    'sign-in by account and network': { most: 10, windowMs: quarterMs },
    'sign-in by network': { most: 50, windowMs: quarterMs },
    'sign-in by account': { most: 100, windowMs: dayMs },
    'codes by device': { most: 100, windowMs: monthMs },
    'codes by account': { most: 100, windowMs: monthMs },
  })
  return {
    begin({ addressGroup, deviceId, email }) {
      if (deviceId !== undefined)
        return limitGroup.takeAll({ 'sign-in by device': deviceId, 'sign-in by device in a day': deviceId })
      return limitGroup.takeAll({
        'sign-in by account and network': `${addressGroup} ${email}`,
        'sign-in by network': addressGroup,
        'sign-in by account': email,
      })
    },
    beginCode: ({ deviceId, factor }) =>
      limitGroup.takeAll(
        deviceId === undefined
          ? { 'codes by account': factor }
          : { 'codes by device': `${deviceId} ${factor}` },
      ),
  }
}
