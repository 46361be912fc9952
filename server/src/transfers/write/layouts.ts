/** The facts that writers of layouts need about this system, and the files that are linked to products. */
import { pagesOf } from '../contents.ts'
import { assetsOf } from '../flatten.ts'
import { chosenLocales } from '../languages.ts'
import type { WriterScope } from '../layouts/layout.ts'
import { readNodes } from '../layouts/model.ts'
import type { ProductItem } from '../mapping.ts'
import { createMemory } from '../memory.ts'
import type { FindLinked, LinkedFiles } from '../linked-files.ts'
import type { LinkedFile, TransferNeeds } from '../needs.ts'
import { kindsOf, readDefinitions } from '../open.ts'
import type { Now } from '../selection.ts'
import type { TransferRow } from '../transfers.sql.ts'

/** `files` is filled while the products are read. */
export async function writerScope(
  needs: TransferNeeds,
  now: Now,
  { options: { request, profile } }: TransferRow,
  files: ReadonlyMap<string, LinkedFile>,
): Promise<WriterScope> {
  const ctx = await now()
  const definitions = await readDefinitions(ctx, needs.retrieveDefinitions)
  const kinds = kindsOf(definitions)
  const names = new Map(definitions.map(({ tid, name }) => [tid, name?.itm ?? []]))
  const locales = chosenLocales(request!.locales, await needs.contentLocales(ctx))
  const order = request!.translation && { source: await needs.sourceLocale(ctx), ...request!.translation }
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
    translation: order,
    remembered: await rememberedBy(needs, now, order),
    staleIn: async (tids, locale) => needs.staleTexts(await now(), tids, locale),
    pathOf: (tid) => files.get(tid)?.path,
  }
}

/** Texts occur often, in the colours of a product for example; each is looked up once. */
const mostRemembered = 10_000

async function rememberedBy(needs: TransferNeeds, now: Now, order: WriterScope['translation']) {
  const memory = order?.memory ? await createMemory(needs, now, order) : undefined
  const known = new Map<string, string | undefined>()
  return async (text: string, isRich: boolean) => {
    if (!memory) return undefined
    const key = `${isRich} ${text}`
    if (known.size > mostRemembered) known.clear()
    if (!known.has(key)) known.set(key, (await memory(text, isRich)).find(({ score }) => score === 100)?.target)
    return known.get(key)
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
