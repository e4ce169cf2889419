// What openings do when the data has lost something: they are another room's, so it is given to this one.

import type { Db } from '../database/database.ts'

/** A grant that a gateway tells of. */
export interface ToldGrant {
  readonly spaceId: string
  readonly gatewayId: string
  readonly openingId: string
}

/** What was marked in a transaction. */
export interface Marked {
  readonly endedOpenings: number
  /** To be called once the transaction is committed. */
  afterCommit(): void
}

export interface OpeningsAfterLoss {
  /** Whether the data has the grant. */
  isGranted(db: Db, told: ToldGrant): Promise<boolean>
  /** Moves the event numbers on, and ends what waits for a grant and may have got one; of one Space, or of all. */
  markEnds(tx: Db, spaceId?: string): Promise<Marked>
  /** The record of an opening does not claim any more that it was not called. Call the answer once that is committed. */
  doubt(tx: Db, opening: Omit<ToldGrant, 'gatewayId'>): Promise<() => void>
}
