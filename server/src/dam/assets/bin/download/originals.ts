/** Files of assets for who takes them out by another way than a download. */
import type { Context } from '../../../../core/context.ts'
import { visible } from '../../../entries.ts'
import { findFiles } from '../../../files.sql.ts'
import type { FileServices } from '../../../files.ts'

export interface Original {
  readonly tid: string
  readonly path: string
  open(): Promise<AsyncIterable<Buffer>>
}

/** By tid or path. What the caller may not see is not there. */
export async function findOriginals(
  { blobs }: Pick<FileServices, 'blobs'>,
  ctx: Context,
  names: { readonly tids?: readonly string[]; readonly paths?: readonly string[] },
): Promise<Original[]> {
  const found = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
  return found.map(({ tid, path, sha256 }) => ({
    tid,
    path,
    open: async () => (await blobs.open(sha256)) as AsyncIterable<Buffer>,
  }))
}
