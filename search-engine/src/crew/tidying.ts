/**
 * Gives back the memory of segments that nobody searches any more. It is shared between threads, and V8 does not count what
 * is shared when it decides to collect: an index that was rebuilt would be in memory twice for as long as little else
 * happens. Each thread that has searched a segment must let go of it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of so many bytes that were let go: it takes 10 ms, in the thread that answers requests 50. */
const much = 64 << 20

export function createTidying(): (letGo: number) => void {
  let bytes = 0
  return (letGo) => {
    bytes += letGo
    if (bytes < much) return
    bytes = 0
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
  }
}
