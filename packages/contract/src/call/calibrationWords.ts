// Calibration: how a test call ended, and why test calls may not show how a gate's module takes a call. Without schemas, for
// the browser.

/** Why a measured profile may no longer fit its gate. */
export const calibrationDoubts = [
  // Something answers, and the profile does not expect that.
  'answers_now',
  // Calls end outside the measured times.
  'other_times',
  // Another modem, or another mobile network, than at the calibration makes the calls.
  'other_modem',
  'other_operator',
] as const
export type CalibrationDoubt = (typeof calibrationDoubts)[number]
/** Doubts from how the calls go. The others only say who makes the calls, and two gateways may take turns. */
export const driftDoubts: readonly CalibrationDoubt[] = ['answers_now', 'other_times']

/** Why test calls give no profile. */
export const cannotTellWords = [
  // The gate moved after none of the calls, or after some only.
  'never_moved',
  'moved_sometimes',
  // The calls went differently.
  'differs',
  // The profile depends on when the gate moved. Nobody counted the seconds, or they do not fit the calls.
  'seconds_missing',
  'seconds_differ',
  // The gate moved later than a call may ring.
  'moved_late',
  // This modem does not show whether the gate answers or rejects.
  'modem_blind',
  // This route shows too little of a call.
  'no_ringing',
  // The SIM card of the gate forwards calls, or has call waiting.
  'diverted',
  // The answer came so late that it may be a voicemail.
  'answered_late',
  // The network ended the calls itself.
  'ended_by_network',
] as const
export type CannotTell = (typeof cannotTellWords)[number]

/** Warnings before a test call, about the gateway that would make it. */
export const calibrationWarnings = [
  // No gateway that may call the gate is online.
  'no_gateway',
  'modem_not_ready',
  // The mobile network has not let the modem in.
  'not_registered',
  // No gate can know the number of the gateway.
  'number_hidden',
  // The modem does not say whether gates see its number.
  'number_not_told',
  'signal_weak',
  'signal_unknown',
  'supply_low',
] as const
export type CalibrationWarning = (typeof calibrationWarnings)[number]

/** How a test call ended. */
export const callEnds = [
  // The far end ended the call before an answer.
  'rejected',
  // The network says that nobody took the call.
  'untaken',
  // The far end answered, and ended the call.
  'answered_released',
  // The call went on until we hung up: answered, or ringing.
  'answered_held',
  'rang',
  // The call ended, and no ringing was reported.
  'ended_unrung',
  // No ringing was reported until we hung up.
  'no_ringing',
  // This modem does not show whether the far end answered or rejected.
  'blind',
  // The call was not placed, or signs of it were lost.
  'unclear',
] as const
export type CallEnd = (typeof callEnds)[number]
