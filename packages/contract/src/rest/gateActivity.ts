// The activity of gates: what is recorded of each, and of its calibration.

import Type from 'typebox'
import { calibrationDoubts } from '../call/calibrationWords.ts'
import { CallProfile } from '../call/callProfile.ts'
import { MayCall, NumberKnown } from '../call/gateCallers.ts'
import { moduleBrandIds } from '../call/setUpMessage.ts'
import { closed, words } from '../text.ts'
import { type Action, changesSchema, text, textOrNull, told } from './activityDetails.ts'
import { recordedOfGate } from './gate.ts'

const ofGate = told({ deviceName: text })
/** One gateway at the gate: whether it may call, and whether its number is known there. */
const caller = closed({ gatewayId: text, name: text, mayCall: MayCall, numberKnown: NumberKnown })
const recorded = { ...recordedOfGate, callProfile: CallProfile }
const ofGateState = told({
  deviceName: text,
  changes: changesSchema({ ...recorded, isActive: Type.Boolean() }),
})

/** The actions on gates. */
export const gateActions = {
  'gate.created': { targetType: 'gate', says: 'A gate was added', details: ofGate },
  'gate.updated': {
    targetType: 'gate',
    says: 'A gate, its call profile, or what holds for a gateway that calls it (`caller`) was changed',
    details: told({ deviceName: text, changes: changesSchema({ ...recorded, caller }) }),
  },
  'gate.deactivated': { targetType: 'gate', says: 'A gate is no longer called', details: ofGateState },
  'gate.reactivated': { targetType: 'gate', says: 'A gate is called again', details: ofGateState },
  'gate.calibration_started': {
    targetType: 'gate',
    says: 'The calibration of a gate was started: test calls, which the history shows as openings',
    details: ofGate,
  },
  'gate.calibrated': {
    targetType: 'gate',
    says: 'A gate got the call profile that its test calls showed, by this modem and mobile network',
    details: told({
      deviceName: text,
      modem: textOrNull,
      operator: textOrNull,
      changes: changesSchema({ callProfile: CallProfile }),
    }),
  },
  'gate.calibration_ended': {
    targetType: 'gate',
    says: 'The calibration of a gate was ended, and its call profile stayed as it was',
    details: ofGate,
  },
  'gate.setup_sms_sent': {
    targetType: 'gate',
    says: 'A gateway was told to send the module of a gate the message that lets its number in: for which brand, from which gateway',
    details: told({ deviceName: text, gatewayId: text, gatewayName: text, brand: words(moduleBrandIds) }),
  },
  'gate.photo_set': { targetType: 'gate', says: 'A gate got a photo, or another one', details: ofGate },
  'gate.photo_removed': { targetType: 'gate', says: 'The photo of a gate was removed', details: ofGate },
  'gate.drifted': {
    targetType: 'gate',
    says: 'Calls of a calibrated gate no longer fit its call profile, which stays as it is',
    details: told({ deviceName: text, doubt: words(calibrationDoubts) }),
  },
} as const satisfies Record<string, Action>
