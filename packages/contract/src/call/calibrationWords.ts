// Calibration: how a test call ended, and why test calls may not say how a gate's module takes a call. Without schemas, for
// the browser.

/**
 * `answers_now`: something answers, and the profile does not expect that. `other_times`: calls end outside the measured
 * times. `other_modem`, `other_operator`: the calls are made by another modem, or over another network, than was measured.
 */
export const calibrationDoubts = ['answers_now', 'other_times', 'other_modem', 'other_operator'] as const
export type CalibrationDoubt = (typeof calibrationDoubts)[number]
/** Doubts by how the calls go. The others say only who makes the calls, and two gateways may take turns. */
export const driftDoubts: readonly CalibrationDoubt[] = ['answers_now', 'other_times']

/**
 * `never_moved`, `moved_sometimes`: what was seen of the gate. `differs`: the calls went differently. `seconds_missing`: it
 * depends on when the gate moved, and nobody counted. `seconds_differ`: what was counted does not fit the calls.
 * `moved_late`: later than a call may ring. `modem_blind`: this modem does not show whether the gate answers or rejects.
 * `no_ringing`: this route shows too little of a call. `diverted`, `answered_late`: the SIM card of the gate forwards calls,
 * or has call waiting or a voicemail. `ended_by_network`: the network ended the calls itself.
 */
export const cannotTellWords = [
  'never_moved',
  'moved_sometimes',
  'differs',
  'seconds_missing',
  'seconds_differ',
  'moved_late',
  'modem_blind',
  'no_ringing',
  'diverted',
  'answered_late',
  'ended_by_network',
] as const
export type CannotTell = (typeof cannotTellWords)[number]

/**
 * What is seen before a test call of the gateway that would make it. `no_gateway`: none that may call the gate is online.
 * `not_registered`: the mobile network has not let it in. `number_hidden`: no gate can know its number. `number_not_told`: its
 * modem does not say whether gates see the number.
 */
export const calibrationWarnings = [
  'no_gateway',
  'modem_not_ready',
  'not_registered',
  'number_hidden',
  'number_not_told',
  'signal_weak',
  'signal_unknown',
  'supply_low',
] as const
export type CalibrationWarning = (typeof calibrationWarnings)[number]

/**
 * `rejected`, `answered_released`: the far end ended the call. `untaken`: the network says that nobody took it. `rang`,
 * `answered_held`: it went on until we hung up. `ended_unrung`: it ended, and no ringing was reported. `blind`: this modem
 * does not show whether the far end answered or rejected. `unclear`: the call was not placed, or signs of it were lost.
 */
export const callEnds = [
  'rejected',
  'untaken',
  'answered_released',
  'answered_held',
  'rang',
  'ended_unrung',
  'no_ringing',
  'blind',
  'unclear',
] as const
export type CallEnd = (typeof callEnds)[number]
