// The real world: the only file that touches Date, timers and crypto randomness.

import { randomBytes } from 'node:crypto'
import { uptime } from 'node:os'
import { pino } from 'pino'
import { fairTurns } from './turns.ts'
import type { Log, LogFields, World } from './world.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Fields that could carry a secret by mistake: the log shows `[hidden]` instead. */
const secretFields = [
  ...['key', 'secret', 'password', 'token', 'authorization', 'accessUrl', 'pin', 'privateKey'],
  ...['cookie', 'mqttPassword', 'passphrase'],
]

/** How long a line waits for others, in milliseconds, and how many wait at most. */
const waitsMs = 100
const mostWaiting = 64

interface Lines {
  write(line: string): void
  /** Writes the waiting lines. */
  flush(): void
}

/**
 * Lines that are written together, because each write is a system call. The waiting lines are written when the process ends, also
 * by an uncaught error; a kill loses them.
 */
export function batchedLines(write: (text: string) => void): Lines {
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting.join('')
    waiting = []
    if (text !== '') write(text)
  }
  return {
    flush,
    write(line) {
      waiting.push(line)
      if (waiting.length >= mostWaiting) flush()
      else timer ??= setTimeout(flush, waitsMs).unref()
    },
  }
}

/** Standard error, written in batches. A world that logs nothing has nothing to do at the end of the process. */
function toStandardError(): Lines {
  const destination = pino.destination({ fd: 2, sync: true })
  const lines = batchedLines(text => destination.write(text))
  let isFirst = true
  return {
    flush: lines.flush,
    write(line) {
      if (isFirst) process.once('exit', lines.flush)
      isFirst = false
      lines.write(line)
    },
  }
}

const isSecret: ReadonlySet<string> = new Set(secretFields)

/** Whether pino must look for secrets, which takes longer than printing a line of plain fields. */
function mayHoldSecret(fields: LogFields): boolean {
  for (const name in fields)
    if (isSecret.has(name) || (typeof fields[name] === 'object' && fields[name] !== null)) return true
  return false
}

/** Secrets that a message of a library may repeat: the login in an address, an API key, the token of a magic link. */
const secretTexts = /(?<=\/\/)[^\s/@:]*:[^\s/@]+(?=@)|\bsvc_(?:live|test)_\w+|(?<=\/g\/)[\w-]{20,}/g

/** The fields without such texts. */
function scrubbed(fields: LogFields): LogFields {
  const scrub = (value: unknown) =>
    typeof value === 'string' ? value.replace(secretTexts, '[hidden]') : value
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrub(value)]))
}

/** JSON lines on standard error, so that standard output stays free for the output of a command. */
function realLog(level: LogLevel): Log {
  const lines = toStandardError()
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: 'message',
    errorKey: 'error',
  }
  const plain = pino(options, lines)
  const redact = { paths: secretFields.flatMap(name => [name, `*.${name}`]), censor: '[hidden]' }
  const redacting = pino({ ...options, redact }, lines)
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) =>
      (mayHoldSecret(fields) ? redacting : plain)[name](fields, message)
  // An error is written at once, with the lines before it.
  const atOnce = (name: 'warn' | 'error') => {
    const log = at(name)
    return (message: string, fields: LogFields = {}) => {
      log(message, scrubbed(fields))
      lines.flush()
    }
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: atOnce('warn'),
    error: atOnce('error'),
  }
}

const drawnAtOnce = 4_096

/** How long the work of several turns may take before the event loop goes round, in milliseconds. */
const loopMs = 1

/**
 * The turns of the event loop. Each round of the loop takes system calls that cost as much as a short request. So the next turn
 * follows in the same round, unless the round has taken a millisecond already.
 */
function turnsOfLoop(): World['turn'] {
  let beganMs = 0
  const later = (then: () => void) =>
    void setImmediate(() => {
      beganMs = performance.now()
      then()
    })
  const unlessLate = (then: () => void) => (performance.now() - beganMs < loopMs ? then() : later(then))
  // The promises of the turn before settle first, and then the tick comes.
  const next = (then: () => void) => queueMicrotask(() => process.nextTick(unlessLate, then))
  return fairTurns(later, next)
}

/** Random bytes out of larger draws, because a draw costs more than its bytes. No byte is returned twice, and none is kept. */
function randomSource(): World['randomBytes'] {
  let pool = Buffer.alloc(0)
  let given = 0
  return count => {
    if (count > drawnAtOnce) return randomBytes(count)
    if (given + count > pool.length) {
      pool = randomBytes(drawnAtOnce)
      given = 0
    }
    const drawn = pool.subarray(given, given + count)
    const bytes = Uint8Array.from(drawn)
    drawn.fill(0)
    given += count
    return bytes
  }
}

/** How long a reading of the time since the boot is used again, in milliseconds of monotonic time. */
const bootReadingMs = 1

/**
 * The time since the boot, read at most once a millisecond. A reading opens a file of the kernel, and one opening needs about
 * forty. A suspension within that millisecond looks as if it had come after the reading, which it always may.
 */
export function bootClock(read: () => number, monotonicMs: () => number): () => number {
  let readAtMs = Number.NEGATIVE_INFINITY
  let sinceBootMs = 0
  return () => {
    const nowMs = monotonicMs()
    if (nowMs - readAtMs >= bootReadingMs) {
      sinceBootMs = read()
      readAtMs = nowMs
    }
    return sinceBootMs
  }
}

/** CLOCK_MONOTONIC, so that the processes of one machine count from the same start. */
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

/** The real world. `logLevel` is the lowest level that is written. */
export function realWorld(options: { logLevel: LogLevel }): World {
  return {
    nowMs: () => Date.now(),
    monotonicMs,
    sinceBootMs: bootClock(() => uptime() * 1_000, monotonicMs),
    after(delayMs, then) {
      const timer = setTimeout(then, Math.max(0, delayMs))
      return { cancel: () => clearTimeout(timer) }
    },
    turn: turnsOfLoop(),
    randomBytes: randomSource(),
    log: realLog(options.logLevel),
  }
}
