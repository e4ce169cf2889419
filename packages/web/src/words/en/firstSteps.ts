// English: the first steps of a Space.

export const firstSteps = {
  title: 'From nothing to the first opening',
  says: (done: number, of: number) =>
    `${done} of ${of} done. What is done is kept; come back when you stand at the gate.`,
  allDone: 'All six steps are done.',
  of: (done: number, of: number) => `${done} of ${of} first steps are done.`,
  goOn: 'Go on',
  done: 'Done',
  onPhone: 'Go on with the phone',
  onPhoneCode: 'QR code of the address of this page',
  onPhoneHow: 'Point the camera of the phone at it, and sign in there.',
  before: 'Before the first call',
  beforeWhy: 'A real gate will move. Stand where you see it, and keep people and cars away.',
  space: { title: 'Space' },
  gateway: {
    title: 'Gateway',
    todo: 'A small box with a SIM card, which calls the gate. A code of ten minutes lets it in.',
    added: (name: string) => `${name} was added, and has not been online yet. Start its program on the Pi.`,
    registered: (name: string) => `${name} is online and registered`,
    online: (name: string) => `${name} is online, without a mobile network yet`,
    away: (name: string) => `${name} was online, and is offline now`,
  },
  gate: { title: 'Gate', todo: 'Its name, and the number of the SIM card in its module.' },
  number: {
    title: 'Let the gate know the number',
    todo: 'Its module opens only for numbers in its list. Send it this SMS from your phone.',
    said: 'Noted here: the number is in the list of the module.',
    played: 'A sandbox rings nobody, so no module has to know a number.',
    known: 'The module knows the number: the gate has opened.',
    probably: 'The module most likely knows the number: the gate has probably opened.',
  },
  call: {
    title: 'Make the first call',
    todo: 'Stand where you see the gate, press, and look whether it moves.',
    unmeasured: (gate: string) =>
      `It is not measured yet how ${gate} takes a call. A few test calls measure it.`,
  },
  link: {
    title: 'Give somebody a link',
    todo: 'A member has one link, which opens the gates that you choose. No app and no password.',
    has: (name: string) => `${name} has a link`,
    byKey: 'Somebody other than a user of the dashboard has opened the gate.',
  },
  facts: {
    sim: 'SIM card',
    simStates: { ready: 'ready', broken: 'does not work', notKnown: 'not known' },
    number: 'Its number',
    no: 'not typed',
    well: 'In order:',
    look: 'To see to:',
  },
}
