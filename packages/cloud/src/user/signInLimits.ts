// Sign-in limits: how many wrong passwords are accepted, counted so that a stranger cannot lock an account.

import type { Problem } from '@callgate/contract/rest/problem'
import type { Limits, Taken } from '../limit/limits.ts'

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
const monthMs = 30 * dayMs

/** An attempt to sign in. */
export interface Attempt {
  readonly email: string
  readonly addressGroup: string
  /** The browser, where this account was signed in on it before; otherwise undefined. */
  readonly deviceId: string | undefined
}

export interface SignInLimits {
  /**
   * Counts an attempt before its password is checked, so that many at once are counted, too. The count is given back when the
   * password was right, or was not checked.
   */
  begin(attempt: Attempt): Taken | Promise<Taken>
  /**
   * Counts a code of the app as wrong before it is checked, for weeks and regardless of right codes meanwhile: `factor`
   * identifies the app of an account. The count is given back when the code was right.
   */
  beginCode(attempt: { readonly factor: string } & Pick<Attempt, 'deviceId'>): Taken | Promise<Taken>
}

/** The answer when the password is not checked. */
export function tooMany(againInMs: number): Problem {
  const afterS = Math.ceil(againInMs / 1000)
  return {
    problem: 'rate_limited',
    message: `There were too many wrong passwords. Another is taken in ${afterS} s. A browser on which you have signed in before is not affected.`,
    headers: { 'Retry-After': String(afterS) },
  }
}

/**
 * Limits of wrong passwords. A browser on which the account was signed in before is counted separately, so no stranger can lock
 * it out: 100 a day. All other browsers are counted together: by account and network, by network, and by account, which stops
 * guesses from many networks at once (NIST SP 800-63B: at most 100 in a row).
 *
 * Codes of an app have six digits, and a right one restarts the hundred in a row. So in 30 days all unknown browsers together get
 * 100 wrong ones for an account, and each known browser has 100 of its own: about 1,200 a year hit one of three codes in a
 * million with 0.4 %. Strangers cannot lock out a known browser, and a recovery code is always checked.
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
