/**
 * Files in a zip that belong to products, and how cells name them:
 *
 *   front.jpg              the file media/front.jpg of the zip, stored below the directory of the profile
 *   /MAM/coats/front.jpg   the file assets/MAM/coats/front.jpg of the zip, stored at exactly that path;
 *                          without such a file, or without a zip, the asset that exists there
 *
 *   https://a.example/x.jpg   the file at this address (downloads.ts)
 *
 * Exports write the second form, so that exported files return to their place, in this system or another. Trade
 * catalogues name files as their senders keep them: with a folder or without, and in any folder of the zip.
 */
import { because } from '@kontor/contract'
import { inBatch } from '../core/batch/batch.ts'
import type { Context } from '../core/context.ts'
import { settleItems } from '../core/batch/settle.ts'
import { Problem } from '../errors.ts'
import { demandAddress, type MediaStore } from './downloads.ts'
import { dirsOf, type TransferNeeds } from './needs.ts'
import { isAddress, split } from './mapping.ts'
import type { Opened } from './open.ts'
import type { Plan } from './plan.ts'
import type { SourceRow } from './read/source.ts'
import type { TransferRow } from './transfers.sql.ts'
import { below, inPlace, isNamedFile, keyOf } from './zip-files.ts'

/** The name in the zip of the file of the asset at the path. */
export const entryOf = (path: string) => inPlace + path.slice(1)

/** See MediaStore. */
export type Media = ReadonlyMap<string, string | Problem>

interface MediaFile {
  readonly entry: string
  /** Its name in cells. */
  readonly name: string
  readonly path: string
}

type Files = Pick<Opened, 'zip' | 'media' | 'namesFiles'>

function filesOf({ zip, media, namesFiles = false }: Files, mediaPath = '/MAM/Import'): MediaFile[] {
  const home = mediaPath.replace(/(?<!\/)\/+$/, '')
  return (zip?.names ?? []).flatMap((entry) => {
    if (entry.startsWith(inPlace)) {
      const path = `/${entry.slice(inPlace.length)}`
      return [{ entry, name: path, path }]
    }
    if (media && entry.startsWith(media.folder)) {
      const path = `${media.home}/${entry.slice(media.folder.length)}`
      return [{ entry, name: path, path }]
    }
    const name = entry.slice(below.length)
    if (entry.startsWith(below)) return [{ entry, name, path: `${home}/${name}` }]
    const isElsewhere = namesFiles && isNamedFile(entry)
    return isElsewhere ? [{ entry, name: entry, path: `${home}/${entry}` }] : []
  })
}

/** The names of the files in the zip that are not assets yet. */
export function mediaNames(opened: Files): MediaStore {
  const media: MediaStore = new Map()
  for (const { name } of filesOf(opened)) add(media, name, '')
  return media
}

/** Cells may write the name with other capitals, and zips of a Mac have umlauts as two characters. */
function add(media: MediaStore, name: string, tid: string): void {
  media.set(name, tid)
  if (!media.has(keyOf(name))) media.set(keyOf(name), tid)
}

/**
 * Stores the files of a zip as assets before the rows that name them. Storing an existing file again changes nothing.
 */
export async function storeMedia(
  needs: TransferNeeds,
  { options: { profile }, principal, dry, processed }: TransferRow,
  opened: Opened,
): Promise<MediaStore> {
  const files = filesOf(opened, profile?.mediaPath)
  if (dry || files.length === 0) return mediaNames(opened)
  if (processed === 0) {
    const folders = new Set(files.map(({ path }) => path.replace(/\/[^/]*$/, '')))
    const items = [...folders].map((path) => ({ container: 'actions', item: { dataType: 'dir', type: 'createPath', path } })) // prettier-ignore
    const caller = await needs.callerNow(principal)
    await inBatch(needs, caller, (ctx) => settleItems(ctx, dirsOf(needs), 'perform', items, false))
  }
  const media: MediaStore = new Map()
  for (const { entry, name, path } of files)
    add(media, name, await needs.putFile(await needs.callerNow(principal), path, await opened.zip!.read(entry)))
  return media
}

/** Finds the asset that a cell names; throws a Problem if it does not exist. One statement for all rows. */
export async function assetFinder(
  needs: TransferNeeds,
  ctx: Context,
  plan: Plan | undefined,
  media: Media,
  rows: readonly SourceRow[],
): Promise<(name: string) => string> {
  const columns = plan?.levels.flatMap(({ assets }) => assets) ?? []
  const named = rows.flatMap((row) =>
    'cells' in row ? columns.flatMap(({ index }) => split(row.cells[index] ?? '', plan!.separator)) : [],
  )
  const paths = [...new Set(named)].filter((name) => name.startsWith('/') && !media.has(name))
  const found = paths.length === 0 ? [] : await needs.findFiles(ctx, { paths })
  const there = new Map(found.map(({ path, tid }) => [keyOf(path), tid]))
  return (name) => {
    const tid = media.get(name) ?? media.get(keyOf(name)) ?? there.get(keyOf(name))
    if (tid instanceof Problem) throw tid
    if (tid !== undefined) return tid
    if (isAddress(name)) return demandAddress(needs, name) && '' // a check downloads nothing
    if (name.startsWith('/')) throw new Problem('notFound', because('importNoFile', { name }))
    throw new Problem('notFound', because('zipNoFile', { folder: below, name }))
  }
}
