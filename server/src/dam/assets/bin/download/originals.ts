/** Opens original files for other areas, for example exports. */
import type { Context } from '../../../../core/context.ts'
import { visible } from '../../../entries.ts'
import { findFiles } from '../../../files.sql.ts'
import type { FileServices } from '../../../files.ts'

interface Original {
  readonly tid: string
  readonly path: string
  readonly sha256: string
  open(): Promise<AsyncIterable<Buffer>>
}

/** Finds originals by tid or path. Assets that the caller cannot see are left out. */
export async function findOriginals(
  { blobs }: Pick<FileServices, 'blobs'>,
  ctx: Context,
  names: { readonly tids?: readonly string[]; readonly paths?: readonly string[] },
): Promise<Original[]> {
  const found = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
  return found.map(({ tid, path, sha256 }) => ({
    tid,
    path,
    sha256,
    open: async () => (await blobs.open(sha256)) as AsyncIterable<Buffer>,
  }))
}
