// Romanian: the palette that finds gates, members and pages.

import type { palette as english } from '../en/palette.ts'
import { count } from './counted.ts'

export const palette: typeof english = {
  title: 'Mergi la',
  hint: 'O poartă, un membru sau o pagină',
  gates: 'Porți',
  members: 'Membri',
  pages: 'Pagini',
  found: found => count(found, '1 rezultat', 'rezultate'),
  none: 'Nu s-a găsit nimic.',
  membersUnread: 'Membrii nu au putut fi citiți.',
}
