// The proof of an opening: a file that shows what the gateway has signed, and that can be checked without the cloud.

import Type from 'typebox'
import { OpeningId } from '../ids.ts'
import { closed } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

const { openingId } = exampleIds

export const openingProofOperations = {
  getProof: operation(
    {
      ...routes.getProof,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'Give the proof of an opening as a file',
      tag: 'Openings',
      text: 'The signed reports, the grant and the keys, signed by the cloud as a whole. `callgate proof verify` checks it, without the cloud. 409 where the cloud signs with another key than when the call was granted.',
      params: closed({ openingId: OpeningId }),
      answers: {
        200: closed({
          fileName: Type.String(),
          text: Type.String({ description: 'The file, to be stored byte by byte' }),
        }),
      },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { openingId },
      answers: { 200: { fileName: `callgate-proof-${openingId}.json`, text: '{"proof":"…"}' } },
    },
  ),
}
