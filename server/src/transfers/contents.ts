/** Reads the products of an export, and digests of everything that an export can contain of them. */
import { hash } from 'node:crypto'
import { encode, formats, Product } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { assetsOf, hasLinks } from './flatten.ts'
import { inLocales } from './languages.ts'
import type { ProductItem } from './mapping.ts'
import { findFor } from './linked-files.ts'
import type { ProductNames, Purpose, TransferNeeds } from './needs.ts'

/** Queries run per page, not per product. */
const askedTogether = 100

export async function* pagesOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const item of items) {
    if (page.push(item) < askedTogether) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** In some locales, if they are given. Some or all of the products may have been deleted meanwhile. */
export async function* readProducts(
  needs: TransferNeeds,
  ctx: Context,
  names: ProductNames,
  locales: readonly string[] | undefined,
): AsyncGenerator<ProductItem> {
  try {
    const { products } = await needs.retrieveProducts(ctx, names)
    for await (const product of products as AsyncIterable<ProductItem>)
      yield locales ? inLocales(product, locales) : product
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'notFound') throw error
  }
}

export interface Content {
  readonly tid: string
  /** Independent of the format and the columns. */
  readonly digest: Buffer
  readonly linked: boolean
}

/**
 * A product has changed if its message has, or the path or the file of one of its assets, or whether the file may be used.
 * `request`: the rendition profile and the purpose of the export, for which files may not be cleared.
 */
export async function contentsOf(
  needs: TransferNeeds,
  ctx: Context,
  products: readonly ProductItem[],
  request: Purpose & { readonly pictures?: string | undefined },
): Promise<Content[]> {
  const tids = [...new Set(products.flatMap(assetsOf))]
  const files = tids.length > 0 ? await findFor(needs, ctx, tids, request, false) : []
  const byTid = new Map(
    files.map(({ tid, path, sha256, refusal }) => [tid, `${path} ${sha256}${refusal === undefined ? '' : ' refused'}`]),
  )
  return products.map((product) => {
    const parts = [encode(formats.json, Product, product), ...assetsOf(product).map((tid) => byTid.get(tid) ?? '')]
    return { tid: product.tid!, digest: hash('sha256', parts.join('\n'), 'buffer'), linked: hasLinks(product) }
  })
}
