/**
 * persist of product extension objects: create, change, and add to channels.
 *
 * Values follow the attributes of the product, as far as the template allows own values. Templates, products and
 * channels are loaded once per batch.
 */
import type { Infer, Peo } from '@kontor/contract'
import { addLinks, mayAct, mergeMeta, stampKeys, type TargetRow, type Targets } from '../../common/api.ts'
import { type Outcome, type Done, warningDetails } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { finder, type Named, namesOf } from '../../core/batch/identify.ts'
import { newName } from '../../core/batch/names.ts'
import { type Rights, rightsAnywhere, rightsAt } from '../../core/access/permissions.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem, type ValueFault } from '../../errors.ts'
import { allowedRule, checkLocales, checkWords, mergeVals, noValues, type StoredValues } from '../../values/api.ts'
import { holdModel, type ProductView, type ProductViews } from '../../pim/api.ts'
import { findTemplates, type TemplateRow } from '../templates/templates.sql.ts'
import * as rows from './peos.sql.ts'

export type PeoMessage = Infer<typeof Peo>

export interface PeoNeeds {
  readonly targets: Targets
  readonly products: ProductViews
}

export async function persistPeos(ctx: Context, needs: PeoNeeds, items: readonly PeoMessage[]): Promise<Outcome[]> {
  const { ids, tids } = namesOf(items)
  await holdModel(ctx.db)
  const known = await rows.lockPeos(ctx.db, ids, tids, ctx.caller, 'update')
  const references = await loadReferences(ctx, needs, items, known)
  const outcomes = await upsert(ctx, rulesFor(ctx, references, known), items)
  const placed = outcomes.flatMap((outcome, i) =>
    outcome instanceof Problem
      ? []
      : references.channelsOf(items[i]!).map((channel) => ({
          kind: 'peoToProject',
          type: '',
          fromId: (outcome as Done).id as number,
          toId: channel.id,
          details: {},
        })),
  )
  await addLinks(ctx, placed)
  return outcomes.map((outcome) => {
    const warnings = outcome instanceof Problem ? undefined : references.warnings.get(outcome.id as number)
    return warnings?.length ? { ...(outcome as Done), details: warningDetails(warnings) } : outcome
  })
}

/** The objects that a batch refers to. Each function throws a Problem if the object does not exist. */
interface References {
  template(named: Named): TemplateRow
  templateById(id: number): TemplateRow
  product(named: Named): TargetRow
  view(id: number): ProductView
  channelsOf(item: PeoMessage): readonly TargetRow[]
  /** The caller's attribute rights for an object in its channels. */
  rights(item: PeoMessage, id: number): Rights
  /** Forbidden words that the items write into texts, by the id of the object. */
  readonly warnings: Map<number, readonly ValueFault[]>
  seesEntries(locale: string): boolean
}

async function loadReferences(
  { db, caller }: Context,
  { targets, products }: PeoNeeds,
  items: readonly PeoMessage[],
  known: readonly rows.PeoRow[],
): Promise<References> {
  const templates = await findTemplates(db)
  const lock = async (dataType: string, named: readonly Named[]) =>
    ((await targets.get(dataType)?.lock(db, namesOf(named))) ?? []).filter((row) =>
      mayAct(caller, 'read', dataType, row),
    )
  const extended = await lock(
    'product',
    items.map(productOf).filter((named) => named !== undefined),
  )
  const channels = await lock('project', items.flatMap(nodesOf))
  const views = await products({ db, caller }, [
    ...extended.map(({ id }) => id),
    ...known.map(({ productId }) => productId),
  ])
  const placed = Map.groupBy(
    await rows.findPaths(
      db,
      known.map(({ id }) => id),
    ),
    ({ id }) => id,
  )
  const [findTemplate, findProduct, findChannel] = [
    finder('template', templates),
    finder('product', extended),
    finder('project', channels),
  ]
  const channelsOf = (item: PeoMessage) =>
    nodesOf(item).map((named) => {
      const channel = demand(findChannel(named))
      if (mayAct(caller, 'link', 'project', channel)) return channel
      throw new Problem('forbidden', `your roles do not allow to link the project ${channel.tid}`)
    })
  return {
    template: (named) => demand(findTemplate(named)),
    templateById: (id) => templates.find((row) => row.id === id)!,
    product: (named) => demand(findProduct(named)),
    view: (id) => demand(views.get(id) ?? new Problem('forbidden', 'your roles do not allow to read its product')),
    channelsOf,
    rights(item, id) {
      const paths = [
        ...channelsOf(item).flatMap(({ scopes = [] }) => scopes),
        ...(placed.get(id) ?? []).map((one) => one.path),
      ]
      return rightsAt(caller.permissions, 'peo', paths)
    },
    warnings: new Map(),
    seesEntries: (locale) => rightsAnywhere(caller.permissions, 'glossaryEntry').locale(locale).visible,
  }
}

function demand<T>(found: T | Problem): T {
  if (found instanceof Problem) throw found
  return found
}

function productOf({ productTid, product, productId }: PeoMessage): Named | undefined {
  const tid = productTid ?? product
  return tid !== undefined ? { tid } : productId !== undefined ? { id: productId } : undefined
}
function templateOf({ templateTid, templateId }: PeoMessage): Named | undefined {
  return templateTid !== undefined ? { tid: templateTid } : templateId !== undefined ? { id: templateId } : undefined
}
const nodesOf = ({ nodes }: PeoMessage): readonly Named[] => nodes?.node ?? []

const systemKeys: ReadonlySet<string> = new Set(stampKeys)

function rulesFor(
  { caller: { userName } }: Context,
  references: References,
  known: readonly rows.PeoRow[],
): UpsertRules<PeoMessage, rows.PeoRow> {
  return {
    dataType: 'peo',
    load: async () => known,
    create(item, { id, tid }) {
      const [product, template] = [productOf(item), templateOf(item)]
      if (!product) throw new Problem('invalid', 'productTid is missing; an object extends a product')
      if (!template) throw new Problem('invalid', 'templateId is missing; send it or templateTid')
      const fresh = {
        id,
        tid,
        meta: [],
        vals: noValues,
        isDefault: false,
        templateId: references.template(template).id,
      }
      const name = newName('name', item.name)
      return settle(references, item, { ...fresh, name, productId: references.product(product).id })
    },
    change(item, row) {
      const [product, template] = [productOf(item), templateOf(item)]
      if (product && references.product(product).id !== row.productId)
        throw new Problem(
          'invalid',
          `the object extends ${references.view(row.productId).tid}; create another object for another product`,
        )
      return settle(references, item, {
        ...row,
        name: newName('name', item.name, row.name),
        ...(template && { templateId: references.template(template).id }),
      })
    },
    insert: (db, set) => rows.insertPeos(db, set, userName),
    update: (db, set) => rows.updatePeos(db, set, userName),
    facts: ({ id: _id, tid: _tid, ...facts }) => facts,
  }
}

function settle(references: References, item: PeoMessage, row: rows.PeoRow): rows.PeoRow {
  references.channelsOf(item)
  return {
    ...row,
    isDefault: item.default === undefined ? row.isDefault : isTrue(item.default),
    meta: item.meta ? mergeMeta(row.meta, item.meta, systemKeys, references.rights(item, row.id)) : row.meta,
    vals: valuesFor(references, item, row),
  }
}

function isTrue(word: string): boolean {
  if (word === 'true' || word === 'false') return word === 'true'
  throw new Problem('invalid', `default: ${word} is not true or false`)
}

function valuesFor(references: References, item: PeoMessage, row: rows.PeoRow): StoredValues {
  const sent = item.vals?.val ?? []
  if (sent.length === 0) return row.vals
  const product = references.view(row.productId)
  const rights = references.rights(item, row.id)
  checkLocales(sent, rights)
  const template = references.templateById(row.templateId)
  const merged = mergeVals(row.vals, sent, (key) => {
    const storable = product.storable(key)
    if (storable instanceof Problem) return storable
    // a value that is read-only on the product can still be overridden by the object
    const { frozen: _frozen, ...overridable } = storable
    const rule = allowedRule(key, overridable, rights)
    if (rule instanceof Problem) return rule
    const refusal = refusalOf(template, rule.table ?? rule.attr)
    return refusal === undefined ? rule : new Problem('invalid', refusal)
  })
  const { seesEntries, warnings } = references
  const check = { words: product.words, rule: product.viewRule, seesEntries, rights }
  warnings.set(row.id, checkWords(row.vals, merged, check))
  return merged
}

/** The reason why an object cannot have its own value. */
function refusalOf({ tid, attributes }: TemplateRow, attr: string): string | undefined {
  if (Object.keys(attributes).length === 0) return undefined
  if (!Object.hasOwn(attributes, attr)) return `is not an attribute of the template ${tid}`
  const { mode } = attributes[attr]!
  return mode === 'overridden' ? undefined : `is ${mode} by the template ${tid}`
}
