/** A program of a thread with calls that fail in every way. */
import { serveCalls } from '../src/core/thread.ts'

let count = 0
const calls = {
  count: () => ++count,
  double: async (n: number) => 2 * n,
  fail() {
    throw new TypeError('no')
  },
  hang() {
    for (;;);
  },
  end: () => process.exit(1),
}
export type TestCalls = typeof calls

serveCalls(calls)
