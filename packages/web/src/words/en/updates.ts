// English: updates of the programs of gateways.

import type { UpdateCause } from '@callgate/contract/releaseWords'

export const updates = {
  title: 'Program',
  version: 'Version',
  versionUnknown: 'not known yet',
  last: 'Last update',
  newest: 'No newer version is offered.',
  /** Before the notes of the release, which are in English. */
  notes: 'What is new:',
  newer: (version: string) => `Version ${version} is offered`,
  update: (version: string) => `Update to ${version}`,
  updating: 'Saving…',
  how: 'The gateway switches to it between two calls. If it does not work, the gateway goes back to the version before by itself.',
  onlyOwners: 'An owner of the Space can allow it.',
  cannot: 'The program of this gateway takes no update from here. Update it at the gateway itself, once.',
  allowed: (version: string) => `Version ${version} is allowed.`,
  allowedHow: 'The gateway is asked when it is online. The permission lasts 7 days.',
  takeBack: 'Take back',
  asked: (when: string) => `The gateway was asked ${when}.`,
  askedHow: 'It fetches the version, waits for a moment without an opening, and tries it for 5 minutes.',
  states: {
    installed: (version: string, when: string) => `${version} is installed, since ${when}`,
    taken_back: (version: string, when: string) => `${version} did not work and was taken back, ${when}`,
    refused: (version: string, when: string) => `${version} was not installed, ${when}`,
  },
  otherState: (version: string, state: string, when: string) => `${version}: ${state}, ${when}`,
  /** What happened, then what to do. */
  causes: {
    wrong_machine: 'That version is not made for this machine. Tell the operator of the service.',
    not_newer: 'It is not newer than what is installed. There is nothing to do.',
    version_between: 'A version between the two comes first. Install that by hand, at the gateway.',
    tried_before: 'It was tried here before and did not work. Wait for a newer version.',
    other_node: 'It needs a newer package. Install that by hand at the gateway, as the guide says.',
    other_journal:
      'There would be no way back from it. Install it by hand at the gateway, as the guide says.',
    disk_full: 'The card of the gateway is too full. Make room on it, then allow the update again.',
    disk_forgets:
      'The card of the gateway keeps nothing over a restart. It needs a partition of its own, as the guide says.',
    disk_failed: 'The card of the gateway could not be written or read. Check it, or replace it.',
    not_signed: 'It is not what the maker of the program has signed. Tell the operator of the service.',
    no_release_key:
      'The package of this gateway takes no updates. Install the next one by hand, at the gateway.',
    not_offered: 'The cloud no longer offers it. Wait for the next version.',
    not_fetched:
      'It could not be fetched. Check the gateway’s line to the internet, then allow the update again.',
    fetched_too_often: 'It was fetched without success too often today. It may be fetched again tomorrow.',
    gateway_not_ready:
      'The gateway had no line to the cloud, or no working modem. See to that first, then allow the update again.',
    no_pause: 'There was no moment without an opening. Allow the update again at a quiet hour.',
    does_not_start: 'It does not start on this machine. Wait for a newer version.',
    ended: 'It ended by itself. Wait for a newer version.',
    not_connected:
      'It did not reach the cloud and the modem within 5 minutes. If both are well now, wait for a newer version.',
  } satisfies Record<UpdateCause, string>,
  /** For a gateway that sends no reason. */
  why: (why: string) => `The gateway says: ${why}`,
  inList: {
    waits: (version: string) => `Update to ${version} waits for your permission`,
    waitsForOwner: (version: string) => `Update to ${version} waits for an owner`,
    allowed: (version: string) => `Update to ${version} is allowed`,
    byHours: (version: string) => `Updates to ${version} by itself`,
    byHand: (version: string) => `Update to ${version} at the gateway itself`,
    asked: 'Updating now',
  },
  hours: {
    title: 'Updates of gateways',
    why: 'Without hours, an owner allows each update on the page of its gateway. With hours, the gateways of this Space install new versions at that time, one after the other and between two calls.',
    from: 'From',
    to: 'Until',
    now: (from: string, to: string) => `Gateways update themselves between ${from} and ${to}.`,
    never: 'Gateways never update themselves.',
    hint: 'By the clock of the Space',
    wrong: 'Choose two different times.',
    choose: 'Choose hours',
    save: 'Allow at these hours',
    off: 'Never',
    saving: 'Saving…',
  },
}
