// English: the form of a gate. It is loaded with the form and not at a first visit.

export const gateForm = {
  add: 'Add a gate',
  adding: 'Adding…',
  edit: (gate: string) => `Edit ${gate}`,
  numberHint: 'Of the SIM card in the module of the gate. This number is called.',
  sandboxNumberHint: '+44 7700 900100 opens, +44 7700 900200 is busy. The documentation has the others.',
  numberChanges: 'With another number the gate is not calibrated any more.',
  placeHint: 'Where it is, for people who have several.',
  limit: 'The plan allows no further active gate.',
  notSaved: 'Not saved.',
  changedMeanwhile: (who: string) => `${who} changed this gate meanwhile. What you typed is still here.`,
  noAnswer: 'The server did not answer. It is not known whether this was saved; look before you save again.',
  gone: 'This gate is not there any more.',
  willBeCalled: (number: string, country: string) =>
    country === '' ? `Will be called: ${number}.` : `Will be called: ${number} (${country}).`,
  sameNumber: (gate: string) =>
    `${gate} has this number already. A call for one gate is then a call for the other one.`,
}
