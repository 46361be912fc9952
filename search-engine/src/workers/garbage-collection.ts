/**
 * Frees the memory of segments that are no longer searched. Their memory is shared between threads, and V8 does not
 * count shared memory when it schedules a garbage collection: without help a rebuilt index would stay in memory twice
 * while the process is otherwise idle. Every thread that has searched a segment must release it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collect after so many released bytes. A collection takes 10 ms, in the main thread 50 ms. */
const threshold = 64 << 20

export function createGarbageCollector(): (releasedBytes: number) => void {
  let bytes = 0
  return (releasedBytes) => {
    bytes += releasedBytes
    if (bytes < threshold) return
    bytes = 0
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
  }
}
