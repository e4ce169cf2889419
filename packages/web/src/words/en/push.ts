// English: pushes to the devices of the user.

import type { PushAbility } from '../../client/push.ts'

const cannot: Readonly<Record<Exclude<PushAbility, 'can'>, string>> = {
  denied:
    'This browser does not let Callgate notify you. Allow notifications for this address in the settings of the browser, then load this page again.',
  add_to_home:
    'On an iPhone or iPad, add Callgate to the Home Screen first: Share, then “Add to Home Screen”. Open it from there, and come back to this page.',
  unsupported: 'This browser cannot show notifications of pages. Use another browser, or another device.',
}

export const push = {
  title: 'Notifications on your devices',
  says: 'From all your Spaces. Notifications carry no names: the browser adds them while you are signed in.',
  what: 'Your devices',
  alerts: 'Alerts on this device',
  alertsWhy: 'When something is wrong, and when it is well again.',
  openings: 'Who opened, on this device',
  openingsWhy: 'Each time somebody else has opened a gate.',
  cannot,
  refused: 'The browser did not allow it. Nothing is sent to this device.',
  devices: 'Other devices that are notified',
  device: (browser: string) => browser,
  gets: { both: 'Alerts, who opened', alerts: 'Alerts', openings: 'Who opened', none: 'Nothing' },
  added: (day: string) => `added ${day}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  notRemoved: 'Not removed.',
}
