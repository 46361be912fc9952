/** The present rights of a user who sends no request, for messages about files. */
import { allowsAt } from '../core/access/permissions.ts'
import type { Services } from '../core/batch/batch.ts'
import { Problem } from '../errors.ts'

interface Reader {
  readonly name: string
  /** Null if there is no such user any more. */
  readonly id: string | null
}
/** Whether the user may read the files of a directory now. */
export async function readsOf(
  { callerNow }: Pick<Services, 'callerNow'>,
  { name, id }: Reader,
): Promise<(dirPath: string) => boolean> {
  if (id === null) return () => false
  try {
    const { permissions } = await callerNow({ userId: id, userName: name })
    return (dirPath) => allowsAt(permissions, 'read', 'asset', dirPath)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
    return () => false
  }
}
