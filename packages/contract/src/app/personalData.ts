// Personal data: of a member given out whole, and erased for good, for owners; and of an account, for its user.

import Type from 'typebox'
import { MemberId } from '../ids.ts'
import { closed } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const params = closed({ memberId: MemberId })

export const personalDataAppOperations = {
  exportMemberData: appOperation({
    ...appRoutes.exportMemberData,
    role: 'owner',
    rateClass: 'read',
    summary: 'Write all that is known of a member as a file',
    text: 'JSON: the person, the accesses, every opening, the activity and the mails. Without the link, which opens gates.',
    params,
    answers: { 200: Type.String({ contentMediaType: 'application/json' }) },
    isFile: true,
    problems: ['not_found'],
  }),
  exportOwnData: appOperation({
    ...appRoutes.exportOwnData,
    role: 'user',
    rateClass: 'read',
    summary: 'Write what is kept of the own account as a file',
    text: 'JSON: the user, the roles, the sessions, the passkeys, the mails on alerts, the password resets that wait, and which mails wait or were sent. Without anything that signs in. What the user did in a Space stands in its history and activity.',
    answers: { 200: Type.String({ contentMediaType: 'application/json' }) },
    isFile: true,
    problems: [],
  }),
  eraseMember: appOperation({
    ...appRoutes.eraseMember,
    role: 'owner',
    rateClass: 'write',
    summary: 'Erase the personal data of a member for good',
    text: 'The member is gone from every list, the link is dead at once, and openings and activity name `deleted_member`. A long history follows within minutes. The openings themselves stay. Repeating it is answered with 204 again.',
    params,
    answers: { 204: null },
    problems: ['not_found'],
  }),
}
