// Romanian: the frame of the settings.

import type { Words } from '../words.tsx'

export const settings: Words['settings'] = {
  parts: 'Părțile setărilor',
  part: { settings: 'Spațiul', apiKeys: 'Chei API', plan: 'Planul' },
}
