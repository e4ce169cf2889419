// Saves a text or a picture as a file, in the browser's place for files.

import { after } from '../clock.ts'

/** Every browser has taken the file by then. Milliseconds. */
const keptForMs = 60_000

/** A text is saved byte for byte, in UTF-8. */
export function saveFile(name: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  after(keptForMs, () => URL.revokeObjectURL(address))
}
