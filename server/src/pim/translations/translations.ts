/** /pim/products/translations: the stale texts of a product, and the statement that some of them are still right. */
import { because, type ConfirmedText, type Infer, maxConfirmed, type pim, productTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { findSource } from '../../common/api.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { accessOf } from '../products/products.access.ts'
import type { ProductNeeds } from '../products/products.persist.ts'
import * as products from '../products/products.sql.ts'
import { recordConfirmed } from './places.ts'
import * as rows from './stale.sql.ts'

type Routes = Pick<typeof pim.routes, 'retrieveTranslations' | 'confirmTranslations'>

export const translations = (needs: ProductNeeds): RouteHandlers<Routes> => ({
  async retrieveTranslations({ db, caller }, { body }) {
    const found = await find(db, caller, needs, body.tid)
    return reply(db, found)
  },

  async confirmTranslations(_, { body, caller, services }) {
    if (body.texts.length === 0 || body.texts.length > maxConfirmed)
      throw new Problem('invalid', `/textConfirmation/texts: expected 1 to ${maxConfirmed} texts`)
    return inBatch(services, caller, async (ctx) => {
      // Locked before the marks are read: somebody else may be writing the source text.
      await products.lockProducts(ctx.db, [body.tid])
      const found = await find(ctx.db, caller, needs, body.tid)
      const { access, product, stale, byId } = found
      access.demand('update', product.nodeId!)
      const rights = access.rights(product.nodeId!)
      const confirmed = body.texts.flatMap((text, i) => {
        demandObject([...byId.values()], body.tid, text, i)
        const { attribute, locale, since } = text
        if (rights && !rights.attribute(attribute, locale).editable)
          throw new Problem('forbidden', `/textConfirmation/texts/${i}: your roles do not allow to change ${attribute.slice(0, 100)} in ${locale.slice(0, 20)}`) // prettier-ignore
        const mark = stale.find((one) => isMeant(byId.get(one.productId)!, body.tid, text, one))
        if (mark && since !== undefined && mark.since > new Date(since))
          throw new Problem('exists', because('sourceChangedAgain', { attribute, locale }))
        return mark ?? []
      })
      if (confirmed.length > 0) await rows.removeMarks(ctx.db, confirmed)
      recordConfirmed(ctx.record, byId.values(), stale, confirmed)
      return reply(ctx.db, { ...found, stale: stale.filter((one) => !confirmed.includes(one)) })
    })
  },
})

type Text = Infer<typeof ConfirmedText>

const isMeant = (row: products.ViewRow, tid: string, text: Text, mark: rows.StaleRow) =>
  row.tid === (text.tid ?? tid) &&
  productTypes[row.level] === (text.level ?? 'product') &&
  mark.attr === text.attribute &&
  mark.locale === text.locale

function demandObject(
  known: readonly products.ViewRow[],
  product: string,
  { tid, level = 'product' }: Text,
  i: number,
) {
  const wanted = tid ?? product
  if (known.some((row) => row.tid === wanted && productTypes[row.level] === level)) return
  throw new Problem('invalid', `/textConfirmation/texts/${i}: the product has no ${level} with the tid ${wanted.slice(0, 200)}`) // prettier-ignore
}

/** The product with its articles and variations, and those of their marks that the caller may see. */
async function find(db: Db, caller: Caller, { models, rules }: ProductNeeds, tid: string) {
  const model = await models.load(db)
  const access = accessOf(caller, model)
  const [product] = await products.findProducts(db, { tids: [tid] })
  if (!product || !access.may('read', product.nodeId!))
    throw new Problem('notFound', `no product has the tid ${tid.slice(0, 200)}`)
  const members = product.size > 0 ? await products.listMembers(db, [product.id]) : []
  const byId = new Map<number, products.ViewRow>([product, ...members].map((row) => [row.id, row]))
  const rights = access.rights(product.nodeId!)
  const own = rules(model, product.nodeId!)
  const stale = (await rows.findStale(db, [...byId.keys()])).filter(
    ({ attr, locale }) => own.viewRule(attr) && (!rights || rights.attribute(attr, locale).visible),
  )
  return { access, product, byId, stale }
}

async function reply(db: Db, { stale, byId }: Pick<Awaited<ReturnType<typeof find>>, 'stale' | 'byId'>) {
  return {
    source: await findSource(db),
    stale: stale.map(({ productId, attr: attribute, locale, source, since }) => {
      const { level, tid } = byId.get(productId)!
      return { level: productTypes[level], tid, attribute, locale, source, since: since.toISOString() }
    }),
  }
}
