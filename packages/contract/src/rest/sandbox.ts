// What only a sandbox has: its clock, the mails that it did not send, and its reset.

import Type, { type Static } from 'typebox'
import { MailId, MemberId } from '../ids.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

/** How many years the clock may be from the real time. */
export const clockYears = 10
/** How many of the newest mails are listed. */
export const mostSandboxMails = 100

export const SandboxClock = closed({
  now: instant('The time that schedules see now'),
  isFrozen: Type.Boolean({ description: 'True: it stands still' }),
  isReal: Type.Boolean({ description: 'True: it was never set, or was released' }),
})
export type SandboxClock = Static<typeof SandboxClock>

const SandboxMail = closed({
  id: MailId,
  memberId: MemberId,
  kind: words(['invitation', 'access_granted']),
  createdAt: instant('When it was queued'),
  to: Type.Optional(
    Type.String({ description: "The member's address. Only there for a key with `members:read_email`" }),
  ),
  subject: Type.String(),
  text: Type.String({ description: 'The text, with the magic link' }),
})

const inSandbox = ' Only a sandbox has it: a live Space answers 404.'

export const sandboxOperations = {
  getSandboxClock: operation(
    {
      ...routes.getSandboxClock,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'Read the clock of the sandbox',
      tag: 'Sandbox',
      text: `The time that schedules see. The clock decides on accesses alone: presses by a link, decisions, what a member may open now, previews, and the guest's page.${inSandbox}`,
      answers: { 200: SandboxClock },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    { params: {}, answers: { 200: { now: '2026-03-29T00:59:50.000Z', isFrozen: true, isReal: false } } },
  ),
  setSandboxClock: operation(
    {
      ...routes.setSandboxClock,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Set or release the clock of the sandbox',
      tag: 'Sandbox',
      text: `It can be frozen too. Keys, rates, cool-downs, reports and the times of openings stay on the real clock.${inSandbox}`,
      body: closed({
        at: nullable(
          instant(
            `The time that schedules see from now on, within ${clockYears} years from now; null: the real time again`,
          ),
        ),
        isFrozen: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether it stands still there, and does not go on' }),
        ),
      }),
      answers: { 200: SandboxClock },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    {
      params: {},
      body: { at: '2026-03-29T00:59:50.000Z', isFrozen: true },
      answers: { 200: { now: '2026-03-29T00:59:50.000Z', isFrozen: true, isReal: false } },
    },
  ),
  listSandboxMails: operation(
    {
      ...routes.listSandboxMails,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'Read the mails of the sandbox',
      tag: 'Sandbox',
      text: `What was not sent: the newest ${mostSandboxMails} to members, as they would be sent now, newest first. One whose member has no address or no access any more is left out.${inSandbox}`,
      answers: { 200: closed({ mails: Type.Array(SandboxMail) }) },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    {
      params: {},
      answers: {
        200: {
          mails: [
            {
              id: 'mail_01kdhx7s2h6j8m0q3t5v7x9z1b',
              memberId: exampleIds.memberId,
              kind: 'invitation',
              createdAt: '2026-01-05T10:15:32.918Z',
              to: 'ana@example.com',
              subject: 'Your gates at Oak Street 12',
              text: 'Hello Ana Pop, …',
            },
          ],
        },
      },
    },
  ),
  resetSandbox: operation(
    {
      ...routes.resetSandbox,
      scope: 'gates:write',
      rateClass: 'write',
      summary: 'Empty the sandbox',
      tag: 'Sandbox',
      text: `Deactivates all gates and all members, for which the key needs members:write too, and releases the clock. Openings and the activity stay, and so do the keys.${inSandbox}`,
      answers: {
        200: closed({
          gates: Type.Integer({ minimum: 0, description: 'How many gates were deactivated' }),
          members: Type.Integer({ minimum: 0, description: 'How many members were deactivated' }),
        }),
      },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    { params: {}, answers: { 200: { gates: 3, members: 12 } } },
  ),
}
