/**
 * Gives every wait in a test at least a minute. A wait ends as soon as its condition holds, so a long limit costs time only
 * when a test fails; a short one fails on a busy machine.
 */
import { vi } from 'vitest'

const leastMs = 60_000
const bounded = Symbol.for('kontor.bounded-waits')

interface Marked {
  [bounded]?: true
}

// Test files share a worker, and with it `vi`, so the defaults are set once.
if (!(vi as Marked)[bounded]) {
  const { waitFor, waitUntil } = vi
  const withDefault = (options: number | { timeout?: number; interval?: number } = {}) =>
    typeof options === 'number'
      ? Math.max(leastMs, options)
      : { ...options, timeout: Math.max(leastMs, options.timeout ?? 0) }
  vi.waitFor = (callback, options) => waitFor(callback, withDefault(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, withDefault(options))
  ;(vi as Marked)[bounded] = true
}
