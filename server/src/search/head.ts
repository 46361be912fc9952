/** What every reply of the Search API begins with. */
import { searchVersion as apiVersion } from '@kontor/contract'

/** Begins to measure; the function it returns makes the head. */
export function headOf() {
  const began = performance.now()
  return () => ({ apiVersion, processingTimeMillis: Math.round(performance.now() - began) })
}
