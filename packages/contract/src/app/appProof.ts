// The proof of an opening: a file that shows what the gateway has signed, and that can be checked without the cloud.

import Type from 'typebox'
import { OpeningId } from '../ids.ts'
import { closed } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

export const proofAppOperations = {
  getProof: appOperation({
    ...appRoutes.getProof,
    role: 'admin',
    rateClass: 'read',
    summary: 'Give the proof of an opening as a file',
    text: 'The signed reports, the grant and the keys, signed by the cloud as a whole. `callgate proof verify` checks it. 409 where the cloud signs with another key than when the call was granted.',
    params: closed({ openingId: OpeningId }),
    answers: {
      200: closed({
        fileName: Type.String(),
        text: Type.String({ description: 'The file, to be stored byte by byte' }),
      }),
    },
    problems: ['not_found', 'conflict'],
  }),
}
