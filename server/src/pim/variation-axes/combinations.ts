/**
 * /pim/products/combinations: the articles and variations that the axes of a product's category span, and creation of those
 * that are missing. Axes of articles span the articles of the product, axes of variations the variations of each article.
 */
import { type CombinationRequest, type Infer, maxCombinations, type pim } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { visibleTexts } from '../../core/access/texts.ts'
import { seesDefinition } from '../../core/access/permissions.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { plainOf, type StoredValues, toItems } from '../../values/api.ts'
import { accessOf } from '../products/products.access.ts'
import { persistProducts, type ProductNeeds } from '../products/products.persist.ts'
import type { ProductMessage } from '../products/products.sent.ts'
import * as products from '../products/products.sql.ts'
import { type Axis, axesOf, axisAt } from './variation-axes.ts'

type Request = Infer<typeof CombinationRequest>
type Choice = readonly (readonly [axis: Axis, key: string])[]

interface Member {
  readonly level: 1 | 2
  readonly name: string
  /** Undefined if it is missing. */
  readonly tid: string | undefined
  readonly choice: Choice
  readonly below: readonly Member[]
}

type Routes = Pick<typeof pim.routes, 'retrieveCombinations' | 'persistCombinations'>

export const combinations = (needs: ProductNeeds): RouteHandlers<Routes> => ({
  async retrieveCombinations({ db, caller }, { body }) {
    const { axes, members } = await combine(db, caller, needs, body)
    return reply(caller, axes, members, 0)
  },

  async persistCombinations(_, { body, caller, services }) {
    return inBatch(services, caller, async (ctx) => {
      // Locked before it is read: somebody else may be creating some of them.
      await products.lockProducts(ctx.db, [body.tid])
      const { axes, members } = await combine(ctx.db, caller, needs, body)
      const created = countMissing(members)
      if (created === 0) return reply(caller, axes, members, 0)
      const [outcome] = await persistProducts(ctx, needs, [messageOf(body.tid, members)])
      if (outcome instanceof Problem) throw outcome
      const { members: after } = await combine(ctx.db, caller, needs, body)
      return reply(caller, axes, after, created)
    })
  },
})

async function combine(db: Db, caller: Caller, needs: ProductNeeds, { tid, choices = [] }: Request) {
  const model = await needs.models.load(db)
  const [product] = await products.findProducts(db, { tids: [tid] })
  const node = product && model.node(product.nodeId!)
  if (!product || !node || !accessOf(caller, model).may('read', node.id))
    throw new Problem('notFound', `no product has the tid ${tid.slice(0, 200)}`)
  const { articles, variations } = await axesOf(db, model, node)
  if (![...articles, ...variations].every((one) => seesDefinition(caller.permissions, 'product', one)))
    throw new Problem('forbidden', 'your roles do not show all attributes that span the variations of this product')
  const modelled = { model, rules: needs.rules }
  const axes = [...articles.map((one) => axisAt(modelled, node.id, 1, one)), ...variations.map((one) => axisAt(modelled, node.id, 2, one))].filter((axis) => axis?.domain !== undefined) as Axis[] // prettier-ignore
  if (axes.length === 0)
    throw new Problem('invalid', `the category ${node.path} has no variation axes; choose them in the data model first`)
  const chosen = axes.map((axis) => [axis, keysOf(axis, choices)] as const)
  const unknown = choices.find(({ attribute }) => !axes.some((axis) => axis.tid === attribute))
  if (unknown)
    throw new Problem('invalid', `choices: ${unknown.attribute.slice(0, 100)} is not an axis of this product`)
  const stored = await products.listMembers(db, [product.id])
  return { axes, members: membersOf(product, stored, chosen) }
}

/** The chosen values of an axis in the order of its list. */
function keysOf({ tid, domain }: Axis, choices: NonNullable<Request['choices']>): string[] {
  const keys = [...domain!.values.keys()]
  const wanted = choices.find(({ attribute }) => attribute === tid)?.values
  const unknown = wanted?.find((key) => !keys.includes(key))
  if (unknown !== undefined)
    throw new Problem('invalid', `choices: ${unknown.slice(0, 100)} is not a value of ${tid}; expected one of its list`)
  return wanted ? keys.filter((key) => wanted.includes(key)) : keys
}

type Chosen = readonly (readonly [axis: Axis, keys: readonly string[]])[]

function crossed(chosen: Chosen): Choice[] {
  return chosen.reduce<Choice[]>(
    (all, [axis, keys]) => all.flatMap((choice) => keys.map((key): Choice => [...choice, [axis, key]])),
    [[]],
  )
}

function membersOf(product: products.ViewRow, stored: readonly products.ViewRow[], chosen: Chosen): Member[] {
  const at = (level: 1 | 2) => chosen.filter(([axis]) => axis.level === level)
  const count = chosen.reduce((sum, [, keys]) => sum * keys.length, 1)
  if (count > maxCombinations)
    throw new Problem('invalid', `${count} combinations, of ${maxCombinations} in a call; choose fewer values`)
  const [articleChoices, variantChoices] = [crossed(at(1)), at(2).length > 0 ? crossed(at(2)) : []]
  const articles = stored.filter(({ level }) => level === 1)
  const below = (articleId: number | undefined) => {
    const own = stored.filter(({ parentId }) => articleId !== undefined && parentId === articleId)
    return variantChoices.map((choice) => memberOf(2, own, choice, []))
  }
  if (at(1).length === 0) {
    // Without an axis of articles, each article has the variations.
    if (articles.length === 0) return [{ level: 1, name: product.name, tid: undefined, choice: [], below: below(undefined) }] // prettier-ignore
    return articles.map(({ id, tid, name }) => ({ level: 1, name, tid, choice: [], below: below(id) }))
  }
  return articleChoices.map((choice) => {
    const found = articles.find(({ vals }) => fits(vals, choice))
    return memberOf(1, articles, choice, below(found?.id))
  })
}

const fits = (vals: StoredValues, choice: Choice) =>
  choice.every(([{ tid }, key]) => vals[tid] !== undefined && plainOf(vals[tid]) === key)

function memberOf(level: 1 | 2, own: readonly products.ViewRow[], choice: Choice, below: readonly Member[]): Member {
  const found = own.find(({ vals }) => fits(vals, choice))
  if (found) return { level, name: found.name, tid: found.tid, choice, below }
  const labels = choice.map(([{ domain }, key]) => labelOf(domain!.values.get(key)) ?? key).join(', ')
  const name = own.some((one) => one.name === labels)
    ? `${labels} (${choice.map(([, key]) => key).join(', ')})`
    : labels
  return { level, name, tid: undefined, choice, below }
}

/** Names have no language; English is the most likely to be understood. */
const labelOf = (labels: Readonly<Record<string, string>> = {}) =>
  labels['en_GB'] ?? labels[''] ?? Object.values(labels)[0]

const countMissing = (members: readonly Member[]): number =>
  members.reduce((sum, { tid, below }) => sum + (tid === undefined ? 1 : 0) + countMissing(below), 0)

function messageOf(tid: string, members: readonly Member[]): ProductMessage {
  const partOf = ({ tid: own, name, choice }: Member) =>
    own === undefined
      ? { name, vals: { val: choice.map(([axis, key]) => ({ attr: axis.tid, itm: [{ key, value: key }] })) } }
      : { tid: own }
  const article = members
    .filter((one) => countMissing([one]) > 0)
    .map((one) => ({
      ...partOf(one),
      variants: { variant: one.below.filter(({ tid: own }) => own === undefined).map(partOf) },
    }))
  return { tid, articles: { article } }
}

function reply(caller: Caller, axes: readonly Axis[], members: readonly Member[], created: number) {
  const texts = visibleTexts(caller.permissions, 'product')
  const named = (labels: Readonly<Record<string, string>> | undefined) => texts({ itm: toItems(labels ?? {}) })
  const words = { 1: 'article', 2: 'variant' } as const
  const toCombination = ({ level, name, tid, choice }: Member, article?: string) => ({
    level: words[level],
    ...(article !== undefined && { article }),
    name,
    ...(tid !== undefined && { tid }),
    choices: choice.map(([axis, key]) => ({ attribute: axis.tid, values: [key] })),
  })
  return {
    axes: axes.map(({ tid, level, definition, domain }) => ({
      attribute: tid,
      level: words[level],
      label: texts({ itm: definition.row.definition.name?.itm ?? [] }),
      values: [...domain!.values].map(([key, labels]) => ({ key, label: named(labels) })),
    })),
    combinations: members.flatMap((one) => [
      toCombination(one),
      ...one.below.map((variant) => toCombination(variant, one.name)),
    ]),
    ...(created > 0 && { created }),
  }
}
