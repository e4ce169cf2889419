// English: the frame of the settings.

export const settings = {
  parts: 'Parts of the settings',
  part: { settings: 'Space', apiKeys: 'API keys', plan: 'Plan' },
}
