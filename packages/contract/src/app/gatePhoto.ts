// The photo of a gate, for the dashboard: an admin sets it, and guests recognise their gate by it.

import Type, { type Static } from 'typebox'
import { GateId } from '../ids.ts'
import { photoLimits } from '../photo/jpeg.ts'
import { closed, instant, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const { bytes, height, width } = photoLimits

/** Another picture has another hash. */
export const PhotoHash = Type.String({
  pattern: '^[A-Za-z0-9_-]{22}$',
  description: 'The first 22 characters of the SHA-256 of its bytes, in base64url',
})

export const GatePhoto = closed({ hash: PhotoHash, setAt: instant('When it was set') })
export type GatePhoto = Static<typeof GatePhoto>

const params = closed({ gateId: GateId })
const answer = closed({ photo: nullable(GatePhoto) })

export const gatePhotoAppOperations = {
  getGatePhoto: appOperation({
    ...appRoutes.getGatePhoto,
    role: 'admin',
    rateClass: 'read',
    summary: 'Whether a gate has a photo',
    text: 'Its ETag is for If-Match of the two changes.',
    params,
    answers: { 200: answer },
    problems: ['not_found'],
  }),
  setGatePhoto: appOperation({
    ...appRoutes.setGatePhoto,
    role: 'admin',
    rateClass: 'write',
    summary: 'Set the photo of a gate in place of the one before, or remove it',
    text: `A baseline JPEG of at most ${bytes} bytes and ${width} × ${height} pixels, without metadata: no EXIF, comment, profile or preview. The dashboard makes it so in the browser. Anything else is refused.`,
    // Base64 is a third longer.
    mostBodyBytes: 96 * 1024,
    params,
    body: closed({
      jpeg: nullable(
        Type.String({
          minLength: 4,
          maxLength: (bytes / 3) * 4,
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          description: 'The file in base64; null removes the photo',
        }),
      ),
    }),
    answers: { 200: answer },
    problems: ['not_found', 'precondition_failed'],
  }),
  showGatePhoto: appOperation({
    ...appRoutes.showGatePhoto,
    role: 'admin',
    rateClass: 'read',
    summary: 'The photo of a gate as a file',
    text: 'Its address has the hash, so a browser keeps it. 404 for the hash of a former photo.',
    params,
    query: closed({ hash: PhotoHash }),
    answers: { 200: Type.String({ contentMediaType: 'image/jpeg' }) },
    isFile: true,
    isKept: true,
    problems: ['not_found'],
  }),
}
