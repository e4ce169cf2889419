// Reading and changing from a component: readings are kept, and repeated when they may have changed.

import type { AppOperationId } from '@callgate/contract/app/appOperations'
import {
  keepPreviousData,
  type Query,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { useIsLate } from '../clock.ts'
import { type Failure, type Input, isUnknown, type Result, type Success } from './client.ts'
import { type SpaceInput, useCall, useClient, useSpaceId, useSpaceInput } from './connection.tsx'
import { keyOf } from './keys.ts'

const IsLive = createContext(false)

/**
 * How old a reading may be while events come, in milliseconds. Events say what to read again, also for a page that is shown
 * later. They do not report figures, such as the signal of each beat.
 */
const usualLiveEveryMs = 30_000

/** Whether the same reading may succeed a little later. */
const isPassing = (failure: Failure) =>
  isUnknown(failure) || failure.code === 'unavailable' || failure.code === 'rate_limited'

/** How often a reading is repeated by itself where its failure may pass. */
const tries = 2
const pauseMs = 1_000
/** A person is told of a longer wait. Seconds. */
const longWaitS = 5

/** A failure on its way through the library of readings, which needs an exception. */
class ReadFailure extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

const failureOf = (error: unknown) => (error instanceof ReadFailure ? error.failure : undefined)

function createReadings(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => {
          const failure = failureOf(error)
          const isLong = (failure?.retryAfterS ?? 0) > longWaitS
          return failure !== undefined && isPassing(failure) && !isLong && count < tries
        },
        retryDelay: (_, error) => (failureOf(error)?.retryAfterS ?? 0) * 1_000 + pauseMs,
      },
    },
  })
}

/** Keeps the readings of everything below it. */
export function Readings({ children }: { readonly children: ReactNode }) {
  const [readings] = useState(createReadings)
  return <QueryClientProvider client={readings}>{children}</QueryClientProvider>
}

/** Reads again everything that is shown and has a fitting key. Returns the number of requests: each page is one. */
export function useReadFitting(): (fits: (key: readonly unknown[]) => boolean) => number {
  const readings = useQueryClient()
  return useCallback(
    fits => {
      const fitting = { predicate: ({ queryKey }: Query) => fits(queryKey) }
      void readings.invalidateQueries(fitting)
      const shown = readings.getQueryCache().findAll({ ...fitting, type: 'active' })
      return shown.reduce((sum, { state }) => sum + pagesOf(state.data), 0)
    },
    [readings],
  )
}

/** The number of requests of a reading. */
const pagesOf = (data: unknown) =>
  (data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 1

/** Sets whether events report the changes of what is below it. */
export function LiveScope({ children, isLive }: { readonly children: ReactNode; readonly isLive: boolean }) {
  return <IsLive value={isLive}>{children}</IsLive>
}

export interface Reading<Id extends AppOperationId> {
  /** The last value; it stays during a repetition, and when that fails. */
  readonly value: Success<Id>['body'] | undefined
  /** The value for `ifMatch` in a change. */
  readonly etag: string | undefined
  /** Why the last try failed. */
  readonly failure: Failure | undefined
  readonly isReading: boolean
  /** When `value` came, in milliseconds since 1970. */
  readonly readAtMs: number
  readAgain(): void
}

/**
 * Reads an operation, in the Space of the page, and keeps it. `everyMs` repeats it while it is shown; seldom while events come.
 * With `keepsLast` the answer to the previous input stays until that to the new input arrives.
 */
export function useRead<Id extends AppOperationId>(
  id: Id,
  input: SpaceInput<Id>,
  options: {
    readonly everyMs?: number | false
    /** How old it may be while events come, in place of the usual age. */
    readonly liveEveryMs?: number
    readonly isWanted?: boolean
    readonly keepsLast?: true
  } = {},
): Reading<Id> {
  const client = useClient()
  const inSpace = useSpaceInput()
  const isLive = useContext(IsLive)
  const whole = inSpace(input as object) as Input<Id> & { readonly params: Record<string, string> }
  const { liveEveryMs = usualLiveEveryMs } = options
  const everyMs = isLive && options.everyMs ? Math.max(options.everyMs, liveEveryMs) : options.everyMs
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(id, whole),
    queryFn: async () => {
      const result = await client.call(id, whole)
      if (!result.ok) throw new ReadFailure(result)
      return { body: result.body, etag: result.etag }
    },
    ...(isLive && { staleTime: liveEveryMs }),
    // Not before the server takes it again, and then by itself.
    refetchInterval: ({ state }) => {
      const waitS = failureOf(state.error)?.retryAfterS
      return waitS === undefined ? (everyMs ?? false) : waitS * 1_000
    },
    ...(options.isWanted !== undefined && { enabled: options.isWanted }),
    ...(options.keepsLast && { placeholderData: keepPreviousData }),
  })
  return {
    value: data?.body,
    etag: data?.etag ?? undefined,
    failure: failureOf(error),
    isReading: isFetching,
    readAtMs: dataUpdatedAt,
    readAgain: () => void refetch(),
  }
}

/** How long the parts of a page wait for each other, in milliseconds. */
const togetherMs = 2_000

/**
 * Whether each of these readings has a value or a failure, or one takes long; from then on it stays true. What is shown together
 * moves nothing that somebody already reads or is about to press.
 */
export function useTogether(
  ...readings: readonly { readonly value?: unknown; readonly failure: Failure | undefined }[]
): boolean {
  const [wasShown, setShown] = useState(false)
  const isLate = useIsLate(togetherMs)
  const haveCome = readings.every(({ failure, value }) => value !== undefined || failure !== undefined)
  const isShown = wasShown || isLate || haveCome
  if (isShown !== wasShown) setShown(isShown)
  return isShown
}

/** The lists with pages and a cursor. */
type PagedId = 'listHistory' | 'listActivity' | 'listPastIncidents'

export interface Pages<Id extends PagedId> extends Omit<Reading<Id>, 'value' | 'etag'> {
  /** The pages read so far, in order; undefined before the first one. */
  readonly pages: readonly Success<Id>['body'][] | undefined
  readonly hasMore: boolean
  readonly isReadingMore: boolean
  readMore(): void
}

/** Reads a list page by page, in the Space of the page, and keeps the pages. */
export function useReadPages<Id extends PagedId>(id: Id, input: SpaceInput<Id>): Pages<Id> {
  const client = useClient()
  const inSpace = useSpaceInput()
  const isLive = useContext(IsLive)
  const whole = inSpace(input as object) as Input<Id> & { readonly params: Record<string, string> }
  const read = useInfiniteQuery({
    queryKey: [...keyOf(id, whole), 'pages'],
    queryFn: async ({ pageParam }) => {
      const result = await client.call(id, { ...whole, query: { ...whole.query, cursor: pageParam } })
      if (!result.ok) throw new ReadFailure(result)
      return result.body
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    ...(isLive && { staleTime: usualLiveEveryMs }),
  })
  return {
    pages: read.data?.pages,
    hasMore: read.hasNextPage,
    isReadingMore: read.isFetchingNextPage,
    readMore: () => void read.fetchNextPage(),
    failure: failureOf(read.error),
    isReading: read.isFetching,
    readAtMs: read.dataUpdatedAt,
    readAgain: () => void read.refetch(),
  }
}

/** Marks everything of the Space of the page as possibly changed: what is shown is read again. */
export function useReadAgain(): () => void {
  const spaceId = useSpaceId()
  const readings = useQueryClient()
  return useCallback(
    () => void readings.invalidateQueries({ queryKey: [spaceId ?? null] }),
    [readings, spaceId],
  )
}

/** Changes something in the Space of the page. When it succeeds, everything of the Space that is shown is read again. */
export function useChange<Id extends AppOperationId>(id: Id): (input: SpaceInput<Id>) => Promise<Result<Id>> {
  const call = useCall()
  const readAgain = useReadAgain()
  return useCallback(
    async input => {
      const result = await call(id, input)
      if (result.ok) readAgain()
      return result
    },
    [call, id, readAgain],
  )
}
