/** When more searches wait than can be answered soon, the caller is told to come again. */
import { Problem } from '../../errors.ts'
import { SearchBusy } from '../engine/index.ts'

export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SearchBusy)) throw error
    throw new Problem('unavailable', 'too many searches are waiting; try again later', { cause: error })
  }
}
