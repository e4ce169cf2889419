// The name of a person for display, or why there is none any more.

import { deletedMember, notKept } from '@callgate/contract/identityWords'
import type { Words } from './words.tsx'

/** The displayed name; a text in the reader's language where the cloud has only a fixed word. */
export function sayPerson(name: string, { frame }: Pick<Words, 'frame'>): string {
  if (name === deletedMember) return frame.deletedMember
  return name === notKept ? frame.nameNotKept : name
}
