// The interface of what openings do after a loss of data: another folder implements it, and this one is given it.

import type { Db } from '../database/database.ts'

/** A grant that a gateway reports. */
export interface ToldGrant {
  readonly spaceId: string
  readonly gatewayId: string
  readonly openingId: string
}

/** The ends that a transaction has marked. */
export interface Marked {
  readonly endedOpenings: number
  /** To be called once the transaction is committed. */
  afterCommit(): void
}

export interface OpeningsAfterLoss {
  /** Whether the data has the grant. */
  isGranted(db: Db, told: ToldGrant): Promise<boolean>
  /** Advances the event numbers, and ends waiting openings that may have got a grant; of one Space, or of all. */
  markEnds(tx: Db, spaceId?: string): Promise<Marked>
  /** Changes the record of an opening so that it no longer says that no call was made. Call the result after the commit. */
  doubt(tx: Db, opening: Omit<ToldGrant, 'gatewayId'>): Promise<() => void>
}
