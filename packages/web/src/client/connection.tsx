// The connection to the cloud for components: the client, and the Space in which everything reads and changes.

import type { AppOperationId, AppParamsOf } from '@callgate/contract/app/appOperations'
import { createContext, type ReactNode, useCallback, useContext } from 'react'
import type { Client, Input, Result } from './client.ts'

const Connected = createContext<Client | undefined>(undefined)
/** The Space of the current page. */
const InSpace = createContext<string | undefined>(undefined)

/** Connects everything below it to the cloud. */
export function Connection({ children, client }: { readonly children: ReactNode; readonly client: Client }) {
  return <Connected value={client}>{children}</Connected>
}

/** Sets the Space in which everything below it reads and changes. */
export function SpaceScope({
  children,
  spaceId,
}: {
  readonly children: ReactNode
  readonly spaceId: string
}) {
  return <InSpace value={spaceId}>{children}</InSpace>
}

export function useClient(): Client {
  const client = useContext(Connected)
  if (!client) throw new Error('There is no Connection above this component.')
  return client
}

/** The Space of the page; undefined on a page of none. */
export const useSpaceId = (): string | undefined => useContext(InSpace)

/** An input without the Space, which the page gives. */
export type SpaceInput<Id extends AppOperationId> = Omit<Input<Id>, 'params'> &
  (keyof Omit<AppParamsOf<Id>, 'spaceId'> extends never
    ? unknown
    : { readonly params: Omit<AppParamsOf<Id>, 'spaceId'> })

/** Adds the Space of the page to an input. */
export function useSpaceInput() {
  const spaceId = useSpaceId()
  return useCallback(
    (input: { readonly params?: object }) => ({
      ...input,
      params: { ...input.params, ...(spaceId !== undefined && { spaceId }) },
    }),
    [spaceId],
  )
}

/** Calls an operation in the Space of the page, and keeps nothing of its answer. */
export function useCall(): <Id extends AppOperationId>(id: Id, input: SpaceInput<Id>) => Promise<Result<Id>> {
  const client = useClient()
  const inSpace = useSpaceInput()
  return useCallback((id, input) => client.call(id, inSpace(input as object) as never), [client, inSpace])
}
