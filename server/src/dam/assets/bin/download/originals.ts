/** Opens original files for other areas, for example exports. */
import type { Context } from '../../../../core/context.ts'
import { visible } from '../../../entries.ts'
import { findFiles } from '../../../files.sql.ts'
import type { FileServices } from '../../../files.ts'
import { endOf, type Purpose, refusalsFor } from '../../../usage/usage.ts'

interface Original {
  readonly tid: string
  readonly path: string
  readonly sha256: string
  /** Why it must not be used. */
  readonly refusal?: string
  /** The end of its usage rights, in seconds since 1970; Infinity without one. */
  readonly until: number
  open(): Promise<AsyncIterable<Buffer>>
}

/** Finds originals by tid or path. Assets that the caller cannot see are left out. */
export async function findOriginals(
  { blobs }: Pick<FileServices, 'blobs'>,
  ctx: Context,
  names: { readonly tids?: readonly string[]; readonly paths?: readonly string[] },
  purpose: Purpose = {},
): Promise<Original[]> {
  const found = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
  const refusals = await refusalsFor(ctx.db, found, purpose)
  return found.map((asset, i) => {
    const { tid, path, sha256 } = asset
    const refusal = refusals[i]?.sentence
    const open = async () => (await blobs.open(sha256)) as AsyncIterable<Buffer>
    return { tid, path, sha256, until: endOf(asset), ...(refusal !== undefined && { refusal }), open }
  })
}
