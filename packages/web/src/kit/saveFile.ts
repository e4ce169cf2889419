// Saving a text that was read as a file, where the browser saves files.

import { after } from '../clock.ts'

/** By then every browser has taken the file. Milliseconds. */
const keptForMs = 60_000

/** The text is saved byte for byte, in UTF-8. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  after(keptForMs, () => URL.revokeObjectURL(address))
}
