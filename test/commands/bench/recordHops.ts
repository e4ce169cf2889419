// Loaded into the demo's processes: records when an opening passes its points, and the bytes written to the disk, into the file
// BENCH_HOPS when the process ends.

import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'

const file = process.env['BENCH_HOPS']
const noted: string[] = []
const nowMs = () => Number(process.hrtime.bigint()) / 1e6
const note = (what: object) => noted.push(`${JSON.stringify({ atMs: nowMs(), ...what })}\n`)
let isCounting = false

function countWritten(): void {
  isCounting = false
  const [, bytes] = /^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? []
  note({ pid: process.pid, writtenBytes: Number(bytes) })
}

if (file !== undefined) {
  subscribe('callgate:opening', hop => {
    // Counted later, so that the measurement does not delay the measured work.
    if (!isCounting) setTimeout(countWritten, 200).unref()
    isCounting = true
    note({ point: (hop as { point: string }).point })
  })
  process.once('exit', () => noted.length > 0 && appendFileSync(file, noted.join('')))
}
