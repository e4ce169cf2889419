// The character set of the modem's texts (AT+CSCS; 3GPP TS 27.007 5.5).

import type { Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'

const inHex = (text: string, digits: number) =>
  [...text].map(letter => letter.charCodeAt(0).toString(16).toUpperCase().padStart(digits, '0')).join('')

export const inUcs2 = (text: string) => inHex(text, 4)

/** The text in the character set that is set now. */
export function asSaid({ settings }: Sim800, text: string): string {
  const set = settingOf(settings, '+CSCS')
  if (set === '"UCS2"') return inUcs2(text)
  return set === '"HEX"' ? inHex(text, 2) : text
}
