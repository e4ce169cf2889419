import { expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]', '::ffff:127.0.0.1'])(
  'knows this machine as %s',
  host => expect(isLoopback(host)).toBe(true),
)

it.each(['', '0.0.0.0', '::', '10.0.0.1', '127.1', '127.0.0.1.example', 'localhost.example', '::2', '[::1'])(
  'takes nothing else for this machine: %s',
  host => expect(isLoopback(host)).toBe(false),
)
