// English: the list of the members.

import { count } from '../time.ts'

const number = (value: number) => count(value, 'en-GB')

export const members = {
  state: (links: number, may: number) =>
    `${links === 1 ? '1 person has' : `${number(links)} people have`} a link. ${may === 1 ? '1 may' : `${number(may)} may`} open now.`,
  what: 'The members',
  add: 'Add member',
  visitor: 'Visitor’s link',
  find: 'Name, phone or note',
  states: {
    current: 'Current',
    active: 'All',
    allowed_now: 'Allowed now',
    ending_soon: 'Ending soon',
    ended: 'Ended',
    inactive: 'Deactivated',
  },
  filter: 'Which members',
  gate: 'Gate',
  allGates: 'All gates',
  table: {
    member: 'Member',
    gates: 'Gates',
    now: 'Now',
    when: 'When',
    uses: 'Uses left',
    last: 'Last used',
  },
  noGate: 'None',
  gates: (count: number) => `${count} gates`,
  allOf: (count: number) => `All ${count} gates`,
  more: (count: number) => `+${count}`,
  moreHeard: (count: number) => `and ${count} more`,
  until: (moment: string) => `until ${moment}`,
  next: (moment: string) => `next: ${moment}`,
  noCap: 'no limit',
  left: (left: number, of: number) => `${number(left)} of ${number(of)}`,
  copyLink: (name: string) => `Copy the link of ${name}`,
  none: 'Nobody has a link yet.',
  noneTitle: 'Give somebody a link',
  noneWhy:
    'A member is a person with one link, which opens each gate that you choose, at the times that you choose. No app and no password.',
  noneFound: 'Nobody found',
  noneFoundWhy: 'No member fits this search and these filters.',
  showAll: 'Show all',
  page: (from: number, to: number, of: number) => `${number(from)}–${number(to)} of ${number(of)}`,
  pageOpen: (from: number, to: number) => `${number(from)}–${number(to)}`,
  previous: 'Previous page',
  following: 'Next page',
}
