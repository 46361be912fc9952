/** Changes one value in many products, in batches with progress, and keeps the previous values for undo. */
import type { Client } from '@kontor/sdk'
import { isRefused, reasonOf } from '../../object/records.ts'
import type { Attribute } from '../../object/values/attribute.ts'
import { keyOfVal, type Texts, textsOf, toVal } from '../../object/values/draft.ts'

interface ValueChange {
  readonly attribute: Attribute
  /** Empty when the attribute is not localized. */
  readonly locale: string
  readonly texts: Texts
}
export interface BulkOutcome {
  readonly changed: number
  readonly refused: readonly { readonly tid: string; readonly reason: string }[]
  readonly attribute: Attribute
  readonly locale: string
  /** The previous values of the changed products. */
  readonly before: ReadonlyMap<string, Texts>
}

const batchSize = 500

export async function applyChange(
  client: Client,
  tids: readonly string[],
  { attribute, locale, texts }: ValueChange,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (done: number) => void },
): Promise<BulkOutcome> {
  const before = new Map<string, Texts>()
  const refused: { tid: string; reason: string }[] = []
  const val = toVal(attribute, new Map([[locale, texts]]))
  for (let from = 0; from < tids.length; from += batchSize) {
    const batch = tids.slice(from, from + batchSize)
    const present = dryRun ? new Map<string, Texts>() : await readTexts(client, batch, attribute, locale)
    const records = await client.pim.products.persist(
      batch.map((tid) => ({ tid, vals: { val: [val] } })),
      { dryRun },
    )
    records.forEach((record, i) => {
      const tid = batch[i]!
      if (isRefused(record)) refused.push({ tid, reason: reasonOf(record) })
      else before.set(tid, present.get(tid) ?? [])
    })
    onProgress(from + batch.length)
  }
  return { changed: before.size, refused, attribute, locale, before }
}

export async function undoChange(client: Client, { attribute, locale, before }: BulkOutcome): Promise<void> {
  const all = [...before]
  for (let from = 0; from < all.length; from += batchSize) {
    const batch = all.slice(from, from + batchSize)
    const records = await client.pim.products.persist(
      batch.map(([tid, texts]) => ({ tid, vals: { val: [toVal(attribute, new Map([[locale, texts]]))] } })),
    )
    const fault = records.find(isRefused)
    if (fault) throw new Error(reasonOf(fault))
  }
}

async function readTexts(
  { pim }: Client,
  tids: string[],
  { key }: Attribute,
  locale: string,
): Promise<Map<string, Texts>> {
  const { products = [] } = await pim.pageProducts({ body: { tids, attributes: [key] } })
  return new Map(
    products.map(({ tid = '', vals }) => [
      tid,
      textsOf(
        vals?.val?.find((val) => keyOfVal(val) === key && val.inheritance !== 'inherited'),
        locale,
      ),
    ]),
  )
}
