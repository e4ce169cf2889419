// English: the text of each refusal of the cloud; `message` is the cloud's own text, which may name a field or a figure.

import type { AppProblemCode } from '@callgate/contract/rest/problem'
import type { ClientCode } from '../../client/client.ts'

type Says = (message: string, waitS: number) => string

export const problems: Readonly<Record<AppProblemCode | ClientCode, Says>> = {
  network_error: () =>
    'The server did not answer. It is not known whether this was done; look before you try again.',
  unavailable: (_, waitS) => `The server cannot take this now; nothing was done. Try again in ${waitS} s.`,
  proxy_failed: status =>
    status === '504'
      ? 'The proxy in front of the server waited too long for it (504). It is not known whether this was done; look before you try again.'
      : `The proxy in front of the server did not reach it (${status}). It is not known whether this was done; look before you try again.`,
  proxy_too_large: () =>
    'The proxy in front of the server does not take so much at once (413). Nothing was done. Whoever runs the server can raise its limit.',
  validation_error: message => message,
  unauthorized: () => 'You are signed out. Sign in again.',
  insufficient_scope: () => 'This is not allowed here.',
  insufficient_role: () => 'Only an owner of this Space may do this.',
  plan_upgrade_required: () => 'The plan of this Space does not include this.',
  plan_limit_reached: message => message,
  not_found: () => 'This is not there any more.',
  method_not_allowed: () => 'This page is out of date. Load it again.',
  conflict: message => message,
  precondition_failed: () => 'Somebody else changed this meanwhile. Read it again first.',
  payload_too_large: message => message,
  unsupported_media_type: () => 'This page is out of date. Load it again.',
  idempotency_mismatch: () => 'This was sent before with something else in it. Load the page again.',
  rate_limited: (_, waitS) => `Too many requests. Wait ${waitS} s, then try again.`,
  internal_error: () =>
    'The server has a fault. It is not known whether this was done; look before you try again.',
  open_failed: message => message,
  confirmation_required: () => 'You must say again who you are, by your password or a passkey.',
  second_factor_needed: () => 'The code of your app is needed as well.',
  wrong_password: () => 'This is not your password.',
  csrf_refused: () => 'This page is out of date. Load it again.',
}
