// The session: the signed-in user, their Spaces, and the end of the session.

import type { Session, UserSpace } from '@callgate/contract/app/session'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Failure } from './client.ts'
import { SpaceScope, useClient } from './connection.tsx'

export interface SignedIn {
  readonly session: Session
  /** The session has ended, here or elsewhere; the page stays on the screen until somebody signs in again. */
  readonly hasEnded: boolean
}

export type SessionStatus =
  | { readonly is: 'asking' }
  | { readonly is: 'unknown'; readonly failure: Failure }
  | { readonly is: 'out' }
  | ({ readonly is: 'in' } & SignedIn)

interface Sessions {
  readonly status: SessionStatus
  /** Adopts the session that an answer has begun. */
  begin(session: Session): void
  /** Asks the cloud who is signed in. */
  ask(): Promise<void>
  signOut(): Promise<Failure | undefined>
  /**
   * The event after which the stream of a Space begins. It is given once, as this page has read nothing of the Space yet. Later
   * it is undefined: what was read before may have changed while nobody followed.
   */
  takeStart(spaceId: string): number | undefined
}

const Held = createContext<Sessions | undefined>(undefined)

/** Provides the session to everything below it, and reads it first. */
export function SessionHolder({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const [status, setStatus] = useState<SessionStatus>({ is: 'asking' })
  const starts = useRef(new Map<string, number | undefined>())
  const takeStart = useCallback((spaceId: string) => {
    const start = starts.current.get(spaceId)
    starts.current.set(spaceId, undefined)
    return start
  }, [])
  const begin = useCallback(
    (session: Session) => {
      client.hold(session)
      for (const { id, lastEventId } of session.spaces)
        if (!starts.current.has(id)) starts.current.set(id, lastEventId)
      setStatus({ is: 'in', session, hasEnded: false })
    },
    [client],
  )
  const ask = useCallback(async () => {
    const answer = await client.call('getSession', {})
    if (answer.ok) begin(answer.body)
    else if (answer.code !== 'unauthorized')
      setStatus(now => (now.is === 'in' ? now : { is: 'unknown', failure: answer }))
  }, [begin, client])
  const signOut = useCallback(async () => {
    // Whoever signs out expects nothing more on this device. A failure must not keep them signed in.
    await import('./push.ts').then(({ endPushes }) => endPushes(client)).catch(() => {})
    const answer = await client.call('signOut', {})
    if (!answer.ok && answer.code !== 'unauthorized') return answer
    setStatus({ is: 'out' })
    return undefined
  }, [client])

  useEffect(
    () =>
      client.onSignedOut(() =>
        setStatus(now => (now.is === 'in' ? { ...now, hasEnded: true } : { is: 'out' })),
      ),
    [client],
  )
  useEffect(() => client.onOtherSession(begin), [begin, client])
  useEffect(() => void ask(), [ask])
  const held = useMemo(
    () => ({ status, begin, ask, signOut, takeStart }),
    [status, begin, ask, signOut, takeStart],
  )
  return <Held value={held}>{children}</Held>
}

export function useSessions(): Sessions {
  const sessions = useContext(Held)
  if (!sessions) throw new Error('There is no SessionHolder above this component.')
  return sessions
}

/** The session of the signed-in user, on any page. */
export function useSession(): Session {
  const { status } = useSessions()
  if (status.is !== 'in') throw new Error('Nobody is signed in on this page.')
  return status.session
}

const ShownSpace = createContext<{ readonly session: Session; readonly space: UserSpace } | undefined>(
  undefined,
)

/** Sets the user and the Space of the page. */
export function SpaceHolder(props: {
  readonly children: ReactNode
  readonly session: Session
  readonly space: UserSpace
}) {
  const { children, session, space } = props
  const held = useMemo(() => ({ session, space }), [session, space])
  return (
    <ShownSpace value={held}>
      <SpaceScope spaceId={space.id}>{children}</SpaceScope>
    </ShownSpace>
  )
}

/** The user, and the Space of the page that is shown. */
export function useSpace(): { readonly session: Session; readonly space: UserSpace } {
  const held = useContext(ShownSpace)
  if (!held) throw new Error('This page belongs to no Space.')
  return held
}
