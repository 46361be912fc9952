/** The objects of a change: by name, category, folder, collection or search. */
import type { ChangeSelection, Infer } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import * as rows from './changes.sql.ts'
import type { ChangeNeeds, Kind } from './needs.ts'

type Selection = Infer<typeof ChangeSelection>

const only: Partial<Record<keyof Selection, readonly [Kind, string]>> = {
  nodePaths: ['product', 'only products are in categories'],
  folderPaths: ['asset', 'only assets are in folders'],
  collection: ['asset', 'only assets are in collections'],
}

export function checkSelection(kind: Kind, selection: Selection, place: string): void {
  const ways = Object.keys(selection) as (keyof Selection)[]
  if (ways.length !== 1)
    throw new Problem('invalid', `${place}: expected exactly one of tids, nodePaths, folderPaths, collection, search and storedSearch`) // prettier-ignore
  const [forKind, reason] = only[ways[0]!] ?? []
  if (forKind !== undefined && forKind !== kind) throw new Problem('invalid', `${place}/${ways[0]}: ${reason}`)
}

/** A statement, or pages of tids, some of them perhaps twice. */
async function selected(needs: ChangeNeeds, ctx: Context, kind: Kind, selection: Selection) {
  const { tids, nodePaths, folderPaths, collection, search, storedSearch } = selection
  if (nodePaths) return needs.selectProducts(ctx, { nodePaths })
  if (folderPaths) return needs.selectAssets(ctx, folderPaths)
  if (tids) return [tids]
  if (collection !== undefined) return [await needs.collectionAssets(ctx, Number(collection))]
  return needs.find(ctx, kind, search ?? String(storedSearch))
}

/**
 * Adds the objects to a change. Objects that do not exist, or that the caller may not read, are refused when the change
 * runs.
 */
export async function addSelection(
  needs: ChangeNeeds,
  ctx: Context,
  id: string,
  kind: Kind,
  selection: Selection,
  most: number,
): Promise<void> {
  const found = await selected(needs, ctx, kind, selection)
  if ('text' in found) return void (await rows.addSelected(ctx.db, id, found, most + 1))
  let first = 0
  for await (const page of found) {
    await rows.addNamed(ctx.db, id, first, page)
    first += page.length
    if (first > 2 * most) return
  }
}

/** The first of the objects. */
export async function selectedTids(
  needs: ChangeNeeds,
  ctx: Context,
  kind: Kind,
  selection: Selection,
  place: string,
  most: number,
): Promise<string[]> {
  checkSelection(kind, selection, place)
  const found = await selected(needs, ctx, kind, selection)
  if ('text' in found) return rows.listSelected(ctx.db, found, most)
  const tids = new Set<string>()
  for await (const page of found) {
    for (const tid of page) tids.add(tid)
    if (tids.size >= most) break
  }
  return [...tids].slice(0, most)
}
