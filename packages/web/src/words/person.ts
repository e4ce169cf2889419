// Who somebody is, for a person: a name, or why there is none any more.

import { deletedMember, notKept } from '@callgate/contract/identityWords'
import type { Words } from './words.tsx'

/** The name as it is shown; words in the reader's language where the cloud has only its own word. */
export function sayPerson(name: string, { frame }: Pick<Words, 'frame'>): string {
  if (name === deletedMember) return frame.deletedMember
  return name === notKept ? frame.nameNotKept : name
}
