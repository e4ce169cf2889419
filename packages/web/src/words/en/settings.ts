// English: the frame of the settings.

export const settings = {
  parts: 'Parts of the settings',
  part: {
    settings: 'Space',
    users: 'Users',
    alertChoices: 'Alerts',
    accessTemplates: 'Templates',
    apiKeys: 'API keys',
    webhooks: 'Webhooks',
    plan: 'Plan',
  },
}
