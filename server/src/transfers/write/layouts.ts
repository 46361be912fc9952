/** The facts that writers of layouts need about this system, and the files that are linked to products. */
import type { Context } from '../../core/context.ts'
import { pagesOf } from '../contents.ts'
import { assetsOf } from '../flatten.ts'
import { chosenLocales } from '../languages.ts'
import type { WriterScope } from '../layouts/layout.ts'
import { readNodes } from '../layouts/model.ts'
import type { ProductItem } from '../mapping.ts'
import type { FindLinked, LinkedFiles } from '../linked-files.ts'
import type { LinkedFile, TransferNeeds } from '../needs.ts'
import { kindsOf, readDefinitions } from '../open.ts'
import type { Now } from '../selection.ts'
import type { TransferRow } from '../transfers.sql.ts'

/** `files` is filled while the products are read. */
export async function writerScope(
  needs: TransferNeeds,
  ctx: Context,
  { options: { request, profile } }: TransferRow,
  files: ReadonlyMap<string, LinkedFile>,
): Promise<WriterScope> {
  const definitions = await readDefinitions(ctx, needs.retrieveDefinitions)
  const kinds = kindsOf(definitions)
  const names = new Map(definitions.map(({ tid, name }) => [tid, name?.itm ?? []]))
  const locales = chosenLocales(request!.locales, await needs.contentLocales(ctx))
  return {
    profile,
    request: request!,
    locales,
    kindOf: (tid) => kinds.get(tid),
    nodes: await readNodes(ctx, needs.retrieveClasses),
    labelOf(attr) {
      const known = names.get(attr) ?? []
      return (known.find(({ loc }) => loc === locales[0]) ?? known[0])?.value
    },
    pathOf: (tid) => files.get(tid)?.path,
  }
}

/** Pages of products, after the files that are linked to them have been found. `keeps`: also those of earlier pages. */
export async function* withLinked(
  find: FindLinked,
  now: Now,
  products: AsyncIterable<ProductItem>,
  files: LinkedFiles,
  keeps: boolean,
): AsyncGenerator<ProductItem[]> {
  for await (const page of pagesOf(products)) {
    if (!keeps) files.clear()
    const tids = [...new Set(page.flatMap(assetsOf))].filter((tid) => !files.has(tid))
    if (tids.length > 0) for (const file of await find(await now(), tids)) files.add(file)
    yield page
  }
}
