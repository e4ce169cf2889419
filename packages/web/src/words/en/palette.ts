// English: the palette that finds gates, members and pages.

export const palette = {
  title: 'Go to',
  hint: 'A gate, a member or a page',
  gates: 'Gates',
  members: 'Members',
  pages: 'Pages',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  none: 'Nothing is found.',
  membersUnread: 'The members could not be read.',
}
