/** The files that products of an export are linked to: as they are, or as renditions. */
import type { Context } from '../core/context.ts'
import type { LinkedFile, Purpose, TransferNeeds } from './needs.ts'
import type { LayoutNote } from './options.ts'
import { setNotes, setUsableUntil, type TransferRow } from './transfers.sql.ts'

/** Finds the files of assets that the caller may read, as the export wants them. */
export type FindLinked = (ctx: Context, tids: readonly string[]) => Promise<LinkedFile[]>

/** Files that must not be used are left out and noted at the transfer. */
export function linkedFinder(needs: TransferNeeds, { id, format, options }: TransferRow): FindLinked {
  const refused = new Map<string, LayoutNote>()
  const isZip = format === 'zip'
  let until = Infinity
  const find: FindLinked = (ctx, tids) => findFor(needs, ctx, tids, options.request ?? {}, !isZip)
  return async (ctx, tids) => {
    const found = await find(ctx, tids)
    const before = refused.size
    for (const { tid, path, refusal } of found)
      if (refusal !== undefined && refused.size < mostNotes)
        refused.set(tid, { place: path, reason: refusal, count: 1 })
    if (refused.size > before) await setNotes(needs.database, id, [...refused.values()])
    const usable = found.filter(({ refusal }) => refusal === undefined)
    // Only a zip contains the files; addresses in other formats stop by themselves.
    const end = isZip ? Math.min(until, ...usable.map((file) => file.until)) : Infinity
    if (end < until) await setUsableUntil(needs.database, id, (until = end))
    return usable
  }
}

type Wanted = Purpose & { readonly pictures?: string | undefined }

/** As they are, or as renditions. */
export function findFor(
  { findFiles, findPictures }: TransferNeeds,
  ctx: Context,
  tids: readonly string[],
  { pictures: profile, channelTid, medium, territory }: Wanted,
  asAddresses: boolean,
): Promise<LinkedFile[]> {
  const purpose = { channelTid, medium, territory }
  return profile === undefined
    ? findFiles(ctx, { tids }, purpose)
    : findPictures(ctx, { tids }, { profile, asAddresses, purpose })
}
const mostNotes = 100

/** Files by the tids of their assets. Two renditions can have the same path; the later ones get a number. */
export class LinkedFiles extends Map<string, LinkedFile> {
  readonly #paths = new Set<string>()

  add(file: LinkedFile): void {
    let { path } = file
    for (let i = 2; this.#paths.has(path.toLowerCase()); i++) path = file.path.replace(/(\.[^./]*)?$/, `-${i}$1`)
    this.#paths.add(path.toLowerCase())
    this.set(file.tid, { ...file, path })
  }

  override clear(): void {
    super.clear()
    this.#paths.clear()
  }
}
