/** The common beginning of every reply of the Search API. */
import { searchVersion as apiVersion } from '@kontor/contract'

/** Starts the clock; the returned function creates the reply head with the elapsed time. */
export function timedHead() {
  const began = performance.now()
  return () => ({ apiVersion, processingTimeMillis: Math.round(performance.now() - began) })
}
