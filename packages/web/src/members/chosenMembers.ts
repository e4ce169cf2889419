// Which members of the list are chosen: they stay chosen on other pages of the list and under other filters.

import { limits } from '@callgate/contract/limits'
import { useState } from 'react'

export interface Named {
  readonly id: string
  readonly name: string
}

export interface Chosen {
  readonly members: readonly Named[]
  /** No more can be chosen. */
  readonly isFull: boolean
  has(id: string): boolean
  toggle(member: Named): void
  /** Chooses those of a page too, as many as one change takes. */
  addAll(members: readonly Named[]): void
  clear(): void
}

const { most } = limits.memberEdit.memberIds

export function useChosen(): Chosen {
  const [members, setMembers] = useState<readonly Named[]>([])
  const has = (id: string) => members.some(one => one.id === id)
  const addAll = (more: readonly Named[]) =>
    setMembers([...members, ...more.filter(({ id }) => !has(id))].slice(0, most))
  return {
    members,
    isFull: members.length >= most,
    has,
    toggle: ({ id, name }) =>
      has(id) ? setMembers(members.filter(one => one.id !== id)) : addAll([{ id, name }]),
    addAll,
    clear: () => setMembers([]),
  }
}
