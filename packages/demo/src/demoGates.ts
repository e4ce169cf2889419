// The four gates of the demo: how each far end handles a call, and what a calibration has learned about two of them.

export type NetworkName = 'normal' | 'fast'

export interface DemoGate {
  readonly name: string
  readonly phoneNumber: string
  /** How the module of this number handles a call, by its name in the simulator. */
  readonly farEnd: string
  /** The result that a newcomer sees. */
  readonly shows: string
}

export const demoGates: readonly DemoGate[] = [
  {
    name: 'North gate',
    phoneNumber: '+40722000001',
    farEnd: 'reject_busy',
    shows: 'rejects the call and opens: 200',
  },
  {
    name: 'East gate',
    phoneNumber: '+40722000002',
    farEnd: 'answer_release_2s',
    shows: 'answers, opens and hangs up after 2 s: 200',
  },
  {
    name: 'South gate',
    phoneNumber: '+40722000003',
    farEnd: 'ring_forever',
    shows: 'rings and never reacts: 502, after half a minute',
  },
  {
    name: 'West gate',
    phoneNumber: '+40722000004',
    farEnd: 'busy_before_alert',
    shows: 'is busy: 502, a few seconds later',
  },
]

export interface LearnedProfile {
  readonly mode: 'reject' | 'answer_release'
  readonly learned: true
  readonly discriminating: true
  readonly reactMinMs: number
  readonly reactMaxMs: number
}

/**
 * The windows that a calibration would find: from half of the shortest call to one and a half times the longest plus 3 s. On the
 * normal network a reject ends 1.5 to 5 s after ringing began, an answer with its release 3.5 to 7 s. On the fast network both
 * end too soon to be distinguished by time.
 */
export function learnedProfile(farEnd: string, network: NetworkName): LearnedProfile | undefined {
  const learned = { learned: true, discriminating: true } as const
  const isFast = network === 'fast'
  if (farEnd === 'reject_busy')
    return { mode: 'reject', ...learned, reactMinMs: isFast ? 0 : 750, reactMaxMs: isFast ? 4_000 : 10_500 }
  if (farEnd === 'answer_release_2s')
    return {
      mode: 'answer_release',
      ...learned,
      reactMinMs: isFast ? 0 : 1_750,
      reactMaxMs: isFast ? 4_000 : 13_500,
    }
  return undefined
}
