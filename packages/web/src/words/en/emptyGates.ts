// English: the page of the gates before there is one. It is loaded where it is shown.

export const emptyGates = {
  connect: 'Connect a gateway',
  title: 'A gate opens because it is called',
  text: 'Most gates already have a module with a SIM card in it, which opens when a number that it knows rings. Callgate rings it for you.',
  parts: [
    ['A press', 'by a link, a program or here'],
    ['Your gateway', 'a small box with a SIM card'],
    ['A call', 'it only has to ring'],
    ['Your gate', 'knows the number, opens'],
  ] as [string, string][],
  steps: [
    ['Connect a gateway', 'The box that makes the calls. You connect it with a code.'],
    ['Add your gate', 'Its name, and the number of the SIM card in its module.'],
    ['Make the first call', 'Stand where you see the gate, and look whether it moves.'],
  ] as [string, string][],
  pretend: {
    before: 'No gateway at hand? ',
    make: 'Try everything with a pretend one',
    after: ', which moves no real gate.',
    making: 'Making it ready…',
    name: 'Pretend',
    location: 'A pretend gate',
    gates: {
      rejected_after_ring: 'Gate that opens',
      busy: 'Busy gate',
      unknown: 'Unsure gate',
    },
    failed: 'It was not made.',
    noAnswer: 'No answer came. Look at your Spaces before you try again.',
  },
}
