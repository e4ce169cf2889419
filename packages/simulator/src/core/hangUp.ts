// The commands that end calls: ATH, AT+CHUP, AT+HVOIC and AT+CHLD.

import type { Answer } from './answers.ts'
import type { Command } from './commandLine.ts'
import { hangUpCalls } from './modemCall.ts'
import type { ModemCall, Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'

const names: ReadonlySet<string> = new Set(['H', '+CHUP', '+HVOIC', '+CHLD'])

export const hangsUp = ({ name }: Command): boolean => names.has(name)

/**
 * AT+CHLD: 0 ends what is held or waits, 1 the active call, 1x call number x (V1.09 3.2.13); other values are not implemented.
 */
function answerHold(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return { lines: ['+CHLD: (0,1,1x,2,2x,3)'], result: 'OK' }
  const [, action, index] = /^([01])([1-7]?)$/.exec(text) ?? []
  if (form !== 'set' || action === undefined || (action === '0' && index !== ''))
    return { lines: [], result: { cme: 3 } }
  const isMeant =
    action === '0'
      ? ({ state }: ModemCall) => state === 1 || state === 4 || state === 5
      : (call: ModemCall) => (index === '' ? call.state === 0 : call.index === Number(index))
  hangUpCalls(modem, 'hung_up', isMeant)
  return { lines: [], result: 'OK' }
}

/** Ends every call, except AT+CHLD, which ends some, and an ATH that ends none. */
export function answerHangUp(modem: Sim800, command: Command): Answer {
  const { model, fault, settings } = modem
  const { form, name } = command
  if (name === '+CHLD') return answerHold(modem, command)
  const isIdle =
    name === 'H' && (fault.ignoresAth || (model.athNeedsCvhu && settingOf(settings, '+CVHU') !== '0'))
  if (form !== 'test' && !isIdle) hangUpCalls(modem, 'hung_up')
  return { lines: [], result: 'OK' }
}
