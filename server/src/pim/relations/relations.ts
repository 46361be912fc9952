/**
 * /pim/relation-types and /pim/products/relations: the types of relations between products, articles and variations, and the
 * relations of an object from both ends. Relations are added and removed as links of the kind productToProduct
 * (common/links/relation-rules.ts has their rules).
 */
import { type Infer, type Name, type pim, productTypes, type RelationTypeChange } from '@kontor/contract'
import { checkLocale, type RelationTypeRow } from '../../common/api.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { visibleTexts } from '../../core/access/texts.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { toItems } from '../../values/api.ts'
import type { Models } from '../model/model.ts'
import { accessOf } from '../products/products.access.ts'
import * as rows from './relations.sql.ts'

type Routes = Pick<
  typeof pim.routes,
  'listRelationTypes' | 'putRelationType' | 'deleteRelationType' | 'retrieveRelations'
>

/** The most relations of one reply. */
const maxRelations = 10_000

export const relations = (models: Models): RouteHandlers<Routes> => ({
  async listRelationTypes({ db, caller }) {
    const texts = visibleTexts(caller.permissions, 'product')
    const types = (await rows.findRelationTypes(db)).map((row) => {
      const type = toType(row)
      return { ...type, label: texts(type.label), inverse: texts(type.inverse) }
    })
    if (!caller.roles.has('admin')) return { types }
    const uses = new Map((await rows.countRelations(db)).map((row) => [row.tid, row.uses]))
    return { types: types.map((type) => ({ ...type, uses: uses.get(type.tid) ?? 0 })) }
  },

  async putRelationType(_, { params: { tid = '' }, body, caller, services }) {
    const row = toRow(tid, body)
    return inBatch(services, caller, (ctx) => store(ctx, row))
  },

  async deleteRelationType(_, { params: { tid = '' }, caller, services }) {
    await inBatch(services, caller, async ({ db }) => {
      const known = await rows.lockRelationType(db, tid)
      if (!known) throw new Problem('notFound', `no relation type has the tid ${tid.slice(0, 100)}`)
      const { uses = 0 } = (await rows.countRelations(db)).find((one) => one.tid === tid) ?? {}
      if (uses > 0) throw new Problem('inUse', `${uses} relations have the type ${tid}; remove them first`)
      await rows.deleteRelationType(db, tid)
      await rows.announceRelationType(db, known.id)
    })
  },

  async retrieveRelations({ db, caller }, { body }) {
    if (!body.tids && !body.ids) throw new Problem('invalid', '/relationRequest: names no product; send tids or ids')
    const model = await models.load(db)
    const access = accessOf(caller, model)
    const isReadable = ({ nodeId }: rows.RelatedObject) => access.may('read', nodeId)
    const found = await rows.findOwners(db, body.tids ? { tids: body.tids } : { ids: body.ids ?? [] })
    const owners = new Map(found.filter(isReadable).map((row) => [row.id, row]))
    if (owners.size === 0) throw new Problem('notFound', 'none of the products exists')
    const { types, direction } = body
    const all = await rows.findRelations(db, [...owners.keys()], { types, direction }, maxRelations + 1)
    if (all.length > maxRelations)
      throw new Problem('invalid', `more than ${maxRelations} relations; ask for fewer products, or for some types`)
    const others = await rows.findObjects(db, [...new Set(all.map(({ otherId }) => otherId))])
    const readable = new Map(others.filter(isReadable).map((row) => [row.id, row]))
    return {
      relations: all.flatMap(({ type, ownId, otherId, outgoing, pos, quantity }) => {
        const other = readable.get(otherId)
        if (!other) return []
        return [
          {
            ...(type !== '' && { type }),
            direction: outgoing ? ('outgoing' as const) : ('incoming' as const),
            own: toEnd(owners.get(ownId)!),
            other: toEnd(other),
            ...(pos !== null && { pos }),
            ...(quantity !== null && { quantity }),
          },
        ]
      }),
    }
  },
})

const toEnd = ({ id, tid, name, level, productTid }: rows.RelatedObject) => ({
  tid,
  id,
  itemType: productTypes[level as 0 | 1 | 2],
  name,
  ...(productTid !== null && { productTid }),
})

async function store({ db, caller }: Context, row: Omit<RelationTypeRow, 'id'>) {
  await rows.lockRelationType(db, row.tid)
  const broken = await rows.countBroken(db, row)
  if (broken > 0)
    throw new Problem('inUse', `${broken} relations of type ${row.tid} would break these rules; change or remove them first`) // prettier-ignore
  const stored = await rows.upsertRelationType(db, row, caller.userName)
  await rows.announceRelationType(db, stored.id)
  return toType(stored)
}

const toType = ({ tid, label, inverse, sources, targets, quantity, pos }: RelationTypeRow) => ({
  tid,
  label: { itm: toItems(label) },
  inverse: { itm: toItems(inverse) },
  sources: wordsOf(sources),
  targets: wordsOf(targets),
  quantity,
  pos,
})
const wordsOf = (levels: readonly number[]) => levels.map((level) => productTypes[level as 0 | 1 | 2])

function toRow(tid: string, body: Infer<typeof RelationTypeChange>): Omit<RelationTypeRow, 'id'> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(tid))
    throw new Problem('invalid', 'tid: expected 1 to 64 letters, digits, dots, hyphens or underscores')
  const { pos = 0, quantity = false } = body
  if (pos < 0 || pos > 10_000) throw new Problem('invalid', '/relationTypeChange/pos: expected 0 to 10000')
  return {
    tid,
    label: textsOf('label', body.label),
    inverse: textsOf('inverse', body.inverse),
    sources: levelsOf('sources', body.sources),
    targets: levelsOf('targets', body.targets),
    quantity,
    pos,
  }
}

function levelsOf(field: string, words: readonly (typeof productTypes)[number][] = productTypes): number[] {
  const levels = [...new Set(words)].map((word) => productTypes.indexOf(word)).toSorted()
  if (levels.length > 0) return levels
  throw new Problem('invalid', `/relationTypeChange/${field}: name product, article or variant`)
}

function textsOf(field: string, name: Infer<typeof Name> | undefined): Record<string, string> {
  const texts = (name?.itm ?? []).flatMap(({ loc = '', value = '' }) => {
    const text = value.trim()
    if (text === '') return []
    if (text.length > 200) throw new Problem('invalid', `/relationTypeChange/${field}: 200 characters at most`)
    return [[checkLocale(`/relationTypeChange/${field}`, loc), text] as const]
  })
  return Object.fromEntries(texts)
}
