// A visit: one request of a guest whose link is alive, and its reply.

import type { Moment } from '@callgate/world/world'
import type { Context } from 'koa'
import type { Picture } from '../http/picture.ts'
import type { LinkedMember } from '../member/memberLinks.ts'
import type { Html } from '../text/html.ts'
import type { Setting } from './page.ts'

/** A request whose link is alive. */
export interface Visit extends Setting {
  readonly ctx: Context
  readonly member: LinkedMember
  /** Whether an admin has locked all gates. */
  readonly isLockedDown: boolean
  /** When the request came in. */
  readonly since: Moment
}

export type Reply =
  | { readonly status: number; readonly page: Html; readonly headers?: Record<string, string> }
  | { readonly seeOther: string }
  | { readonly manifest: string }
  | Picture

/** Undefined where the link has no such page: it is answered like a dead link, so that nobody can probe for ids. */
export type Answering = (visit: Visit) => Promise<Reply | undefined>
