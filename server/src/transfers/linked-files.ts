/** The files that products of an export are linked to: as they are, or as renditions. */
import type { Context } from '../core/context.ts'
import type { LinkedFile, TransferNeeds } from './needs.ts'
import type { TransferRow } from './transfers.sql.ts'

/** Finds the files of assets that the caller may read, as the export wants them. */
export type FindLinked = (ctx: Context, tids: readonly string[]) => Promise<LinkedFile[]>

export function linkedFinder(needs: TransferNeeds, { format, options }: TransferRow): FindLinked {
  const profile = options.request?.pictures
  if (profile === undefined) return (ctx, tids) => needs.findFiles(ctx, { tids })
  return (ctx, tids) => needs.findPictures(ctx, { tids }, { profile, asAddresses: format !== 'zip' })
}

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
