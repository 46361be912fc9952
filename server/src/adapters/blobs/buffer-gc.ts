/**
 * Keeps the memory of bytes that pass through from growing old.
 *
 * Buffers lie outside the heap, and V8 does not count them when it decides to tidy up among young objects. Where large
 * buffers pass with little else happening, 64 MB of them gather until it goes through the whole heap instead. Asking for
 * the small collection every few megabytes costs under a millisecond each, and made uploads need a third of the CPU time.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const every = 8 * 1024 * 1024

/** To be told of every piece that has passed. */
export function createBufferCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  let passed = 0
  return (bytes) => {
    passed += bytes
    if (passed < every) return
    passed = 0
    collect({ type: 'minor' })
  }
}
