/** Gives waits in tests ten seconds by default; vitest's own default of one second fails on a busy machine. */
import { vi } from 'vitest'

const timeout = 10_000
const bounded = Symbol.for('kontor.bounded-waits')

interface Marked {
  [bounded]?: true
}

// Test files share a worker, and with it `vi`, so the defaults are set once.
if (!(vi as Marked)[bounded]) {
  const { waitFor, waitUntil } = vi
  const withDefault = (options: number | { timeout?: number; interval?: number } = {}) =>
    typeof options === 'number' ? options : { timeout, ...options }
  vi.waitFor = (callback, options) => waitFor(callback, withDefault(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, withDefault(options))
  ;(vi as Marked)[bounded] = true
}
