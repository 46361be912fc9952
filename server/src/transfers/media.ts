/**
 * Files that go along with products in a zip, and how cells name them:
 *
 *   front.jpg              the file media/front.jpg of the zip, stored below the directory that the profile names
 *   /MAM/coats/front.jpg   the file assets/MAM/coats/front.jpg of the zip, stored at that very place;
 *                          where the zip has none, or there is no zip, the asset that is there already
 *
 * Exports write the second kind, so that what was exported comes back to its place, in this system or another.
 */
import { inBatch } from '../core/batch/batch.ts'
import type { Caller, Context } from '../core/context.ts'
import { settleItems } from '../core/batch/settle.ts'
import { Problem } from '../errors.ts'
import { dirsOf, type TransferNeeds } from './needs.ts'
import { split } from './mapping.ts'
import type { Opened } from './open.ts'
import type { Plan } from './plan.ts'
import type { SourceRow } from './read/source.ts'
import type { TransferRow } from './transfers.sql.ts'

const below = 'media/'
const inPlace = 'assets/'

/** In a zip, the name of the file of the asset at the path. */
export const entryOf = (path: string) => inPlace + path.slice(1)

/** The tids of assets, by what cells call them; empty while they are only checked. */
export type Media = ReadonlyMap<string, string>

interface MediaFile {
  readonly entry: string
  /** What cells call it. */
  readonly name: string
  readonly path: string
}

function filesOf({ zip }: Pick<Opened, 'zip'>, mediaPath = '/MAM/Import'): MediaFile[] {
  const home = mediaPath.replace(/\/+$/, '')
  return (zip?.names ?? []).flatMap((entry) => {
    if (entry.startsWith(inPlace)) {
      const path = `/${entry.slice(inPlace.length)}`
      return [{ entry, name: path, path }]
    }
    const name = entry.slice(below.length)
    return entry.startsWith(below) ? [{ entry, name, path: `${home}/${name}` }] : []
  })
}

/** The names of the zip's files, none of which is an asset yet. */
export const mediaNames = (opened: Pick<Opened, 'zip'>): Media => new Map(filesOf(opened).map(({ name }) => [name, '']))

/** The files of a zip become assets before the rows that name them. Storing a file again that is there changes nothing. */
export async function storeMedia(
  needs: TransferNeeds,
  caller: Caller,
  { options: { profile }, dry, processed }: TransferRow,
  opened: Opened,
): Promise<Media> {
  const files = filesOf(opened, profile?.mediaPath)
  if (dry || files.length === 0) return mediaNames(opened)
  if (processed === 0) {
    const folders = new Set(files.map(({ path }) => path.replace(/\/[^/]*$/, '')))
    const items = [...folders].map((path) => ({ container: 'actions', item: { dataType: 'dir', type: 'createPath', path } })) // prettier-ignore
    await inBatch(needs, caller, (ctx) => settleItems(ctx, dirsOf(needs), 'perform', items, false))
  }
  const media = new Map<string, string>()
  for (const { entry, name, path } of files)
    media.set(name, await needs.putFile(caller, path, await opened.zip!.read(entry)))
  return media
}

/** Paths are compared without case. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase()

/** Finds the asset that a cell names; throws a Problem where there is none. With one statement for all rows, if any. */
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
    const tid = media.get(name) ?? there.get(keyOf(name))
    if (tid !== undefined) return tid
    if (name.startsWith('/')) throw new Problem('notFound', `asset: there is no file ${name}`)
    throw new Problem('notFound', `asset: the zip has no file ${below}${name}`)
  }
}
