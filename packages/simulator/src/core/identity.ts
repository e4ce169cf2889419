// The modem's identity: maker, model, version, IMEI and the SIM's own number.

import type { Sim800 } from './modemState.ts'

const iccid = '8940011708123456789f'

/** The answer to a command that asks for identity; undefined for any other command, or where the model has no such command. */
export function identityOf({ model, imei }: Sim800, command: string): readonly string[] | undefined {
  switch (command) {
    case 'I':
      return model.information.map(line => line.replace(/IMEI$/, imei))
    case '+CGMI':
    case '+GMI':
      return [model.manufacturer]
    case '+CGMM':
    case '+GMM':
      return [model.name]
    case '+CGMR':
    case '+GMR':
      return [model.revision]
    case '+GSV':
      return model.versions ?? undefined
    case '+CGSN':
    case '+GSN':
      return [imei]
    case '+GCAP':
      return ['+GCAP: +CGSM']
    default: {
      const prefix = Object.hasOwn(model.simNumbers, command) ? model.simNumbers[command] : undefined
      return prefix === undefined ? undefined : [prefix + iccid]
    }
  }
}
