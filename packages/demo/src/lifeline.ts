// The lifeline: code that every part loads first, so that it ends when the demo is gone, however the demo went.

/**
 * The demo holds the other end of a part's standard input and never writes to it. When the demo dies, even by SIGKILL,
 * the kernel closes that end; the part then gets the SIGTERM that the demo could not send. A part that does not end
 * by that within 10 s is cut off.
 */
const source = `
const end = () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10000).unref()
}
process.stdin.once('end', end).on('error', () => {}).resume()
process.stdin.unref()
`

/** What Node's `--import` takes: a module of its own, so that the part's own files need not know of it. */
export const lifeline = `data:text/javascript,${encodeURIComponent(source)}`
