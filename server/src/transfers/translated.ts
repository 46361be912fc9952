/**
 * Translated texts of an import. A text is only stored while its source is the one that was translated: the products are
 * locked, so that nobody changes it until the chunk is stored.
 */
import { because } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { readProducts } from './contents.ts'
import { isSameText } from './layouts/xliff-inline.ts'
import { partAt, valuesIn } from './layouts/xliff-write.ts'
import type { ProductItem } from './mapping.ts'
import type { TransferNeeds } from './needs.ts'
import type { RowOutcome } from './outcomes.ts'
import type { SourceRow, Translated } from './read/source.ts'

const translatedOf = (row: SourceRow): Translated | undefined => ('translated' in row ? row.translated : undefined)

/** The rows whose source text is no longer the one of the file. */
export async function changedSources(
  needs: TransferNeeds,
  ctx: Context,
  chunk: readonly SourceRow[],
): Promise<ReadonlyMap<SourceRow, Problem>> {
  const tids = [...new Set(chunk.flatMap((row) => translatedOf(row)?.product ?? []))]
  if (tids.length === 0) return new Map()
  await needs.lockProducts(ctx, tids)
  const products = new Map<string, ProductItem>()
  for await (const product of readProducts(needs, ctx, { tids }, undefined)) products.set(product.tid!, product)
  return new Map(
    chunk.flatMap((row) => {
      const text = translatedOf(row)
      const product = text && products.get(text.product)
      // One that does not exist is refused when it is stored.
      if (!product || isUnchanged(product, text)) return []
      return [[row, new Problem('invalid', because('unitSourceChanged', { attribute: text.attribute.slice(0, 100) }))] as const] // prettier-ignore
    }),
  )
}

function isUnchanged(product: ProductItem, { below, attribute, source, texts, isRich }: Translated): boolean {
  const val = partAt(product, below)?.vals?.val?.find(({ attr, parent }) => attr === attribute && parent === undefined)
  const now = val && val.inheritance !== 'inherited' ? valuesIn(val, source) : []
  return now.length === texts.length && now.every((text, i) => isSameText(text, texts[i]!, isRich))
}

/** A translation that was stored is right, also if it is the one from before. */
export async function confirmStored(
  needs: TransferNeeds,
  ctx: Context,
  chunk: readonly SourceRow[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const stored = new Set(outcomes.flatMap(({ row, status }) => (status === 'refused' ? [] : row)))
  const texts = chunk.flatMap((row) => (stored.has(row.number) ? (translatedOf(row) ?? []) : []))
  if (texts.length > 0)
    await needs.confirmTexts(ctx, texts.map(({ product, below, attribute, target }) => ({ product, below, attribute, locale: target }))) // prettier-ignore
}
