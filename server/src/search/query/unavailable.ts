/** Converts engine failures that are not the caller's fault into "unavailable, try again later". */
import { Problem } from '../../errors.ts'
import { isDamage, SearchBusy, SearchUnavailable, TaskFailed } from '@kontor/search-engine'

export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SearchBusy)
      throw new Problem('unavailable', 'too many searches are waiting; try again later', { cause: error })
    if (error instanceof TaskFailed)
      throw new Problem('unavailable', 'the search was aborted; narrow it, or try again later', { cause: error })
    if (error instanceof SearchUnavailable)
      throw new Problem('unavailable', 'the search engine cannot be reached; try again later', { cause: error })
    if (isDamage(error))
      throw new Problem('unavailable', 'the index is damaged and is being built again; try again later', {
        cause: error,
      })
    throw error
  }
}
