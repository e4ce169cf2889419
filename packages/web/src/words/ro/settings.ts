// Romanian: the frame of the settings.

import type { Words } from '../words.tsx'

export const settings: Words['settings'] = {
  parts: 'Părțile setărilor',
  part: {
    settings: 'Spațiul',
    users: 'Utilizatori',
    alertChoices: 'Alerte',
    accessTemplates: 'Modele',
    apiKeys: 'Chei API',
    webhooks: 'Webhook-uri',
    plan: 'Planul',
  },
}
