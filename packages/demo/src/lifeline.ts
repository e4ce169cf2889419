// The lifeline: code that every part loads first, so that the part ends when the demo ends in any way.

/**
 * The demo holds the other end of a part's standard input and never writes to it. When the demo dies, even by SIGKILL,
 * the kernel closes that end. The part then sends itself the SIGTERM that the demo could not send, and SIGKILL 10 s
 * later if it still runs.
 */
const source = `
const end = () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10000).unref()
}
process.stdin.once('end', end).on('error', () => {}).resume()
process.stdin.unref()
`

/** The value for Node's `--import`: a separate module, so that the files of the part do not depend on it. */
export const lifeline = `data:text/javascript,${encodeURIComponent(source)}`
