// Answers of the cloud about members, for the tests of the pages that show them.

import type { MemberView } from '@callgate/contract/app/appMember'

/** A list of members that is one page. */
export const onePage = (...members: MemberView[]) => ({
  status: 200 as const,
  body: { members, pagination: { limit: 50, nextCursor: null } },
})

/** The preview of schedules that open at no time. */
export const noTimes = () => ({
  status: 200 as const,
  body: { timezone: 'Europe/Bucharest', state: 'never' as const, times: [] },
})
