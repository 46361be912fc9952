/**
 * The rules of /pim/attribute-groups. A group has labels and a place among the groups; the definitions of its attributes name
 * it, with their places in it. Every change locks the model, so that two people who move attributes do it one after the other.
 *
 * Grants of roles can name a group instead of its attributes. Moving an attribute into or out of such a group changes the
 * rights of others, so only administrators may do it.
 */
import { because, type AttrGroup, type Infer, type pim } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { finder } from '../../core/batch/identify.ts'
import { newName } from '../../core/batch/names.ts'
import { upsert } from '../../core/batch/upsert.ts'
import { allows } from '../../core/access/permissions.ts'
import { visibleTexts } from '../../core/access/texts.ts'
import type { Caller, Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { type Definition, definitionView, toItems } from '../../values/api.ts'
import { updateDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import type { GroupRow } from '../model/model.sql.ts'
import { mergeNames } from '../nodes/nodes.edit.ts'
import { guardGroups } from './attribute-groups.guard.ts'
import * as rows from './attribute-groups.sql.ts'

type GroupValue = Infer<typeof AttrGroup>
type Place = { readonly tid: string; readonly pos: number } | undefined

export function attributeGroups(models: Models): Handlers<(typeof pim.resources)['attribute-groups']> {
  return {
    async retrieve(ctx, { tids, ids }) {
      const model = await models.load(ctx.db)
      const isAsked = ({ id, tid }: GroupRow) => (tids ? tids.includes(tid) : (ids?.includes(id) ?? true))
      const found = model.groups.filter(isAsked)
      if (found.length === 0 && (tids ?? ids)) throw new Problem('notFound', 'none of the groups of attributes exists')
      tagOnly(ctx, tids ?? ids, found)
      return { attrGroups: found.map(viewFor(ctx.caller, model)) }
    },

    persist: (ctx, objects) => persistAll(ctx, models, objects),
    perform: { delete: (ctx, actions) => deleteAll(ctx, models, actions) },
  }
}

function viewFor({ permissions }: Caller, model: Model) {
  const texts = visibleTexts(permissions, 'attrGroup')
  const { isVisible } = definitionView(permissions, 'product')
  return ({ id, tid, name, pos }: GroupRow): GroupValue => {
    const itm = model.membersOf(tid).filter(isVisible).map(({ tid: value }, i) => ({ value, pos: i })) // prettier-ignore
    return { name: texts({ itm: toItems(name) }), ...(itm.length > 0 && { references: { itm } }), id, tid, pos }
  }
}

async function persistAll(ctx: Context, models: Models, objects: readonly GroupValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const { permissions, userName } = ctx.caller
  const find = finder('attrGroup', model.groups)
  const known = objects.map(find)
  checkMatch(
    ctx,
    known.map((row) => (row instanceof Problem ? undefined : row)),
  )
  const { isVisible } = definitionView(permissions, 'product')
  const places = new Map<string, Place>(model.definitions.map(({ tid, row }) => [tid, placeOf(row.definition.group)]))
  const checkGuard = await guardGroups(ctx, model, objects.some(({ references }) => references)) // prettier-ignore

  const read = ({ references, ...item }: GroupValue, row: GroupRow): GroupRow => {
    const name = mergeNames(row.name, item.name)
    if (Object.keys(name).length === 0) throw new Problem('invalid', because('missing', { field: 'name' }))
    const { pos = row.pos } = item
    if (pos < 0 || pos > 10_000) throw new Problem('invalid', '@pos: expected 0 to 10000')
    if (references) place(row.tid, attributesIn(model, references.itm, isVisible))
    return { ...row, name, pos }
  }
  /** Attributes that the caller cannot see stay in their group, after the others. */
  const place = (group: string, named: readonly Definition[]) => {
    if (!allows(permissions, 'update', 'attrDefinition'))
      throw new Problem('forbidden', because('mayNotKind', { action: 'update', kind: 'attrDefinition' }))
    const wanted = new Set(named.map(({ tid }) => tid))
    const members = [...places].filter(([, at]) => at?.tid === group).map(([tid]) => model.definition(tid)!)
    const removed = members.filter((one) => isVisible(one) && !wanted.has(one.tid))
    const hidden = members.filter((one) => !isVisible(one))
    const moved = named.filter(({ tid }) => places.get(tid)?.tid !== group)
    for (const { tid } of [...moved, ...removed]) checkGuard(places.get(tid)?.tid, group)
    for (const { tid } of removed) places.set(tid, undefined)
    for (const [pos, { tid }] of [...named, ...hidden].entries()) places.set(tid, { tid: group, pos })
  }
  let last = Math.max(-1, ...model.groups.map(({ pos }) => pos))
  const rules = {
    dataType: 'attrGroup' as const,
    load: async () => model.groups,
    create(item: GroupValue, { id, tid }: { id: number; tid: string }) {
      last = Math.min(last + 1, 10_000)
      return read(item, { id, tid: newName('@tid', tid), name: {}, pos: last })
    },
    change: read,
    insert: (db: Context['db'], set: readonly GroupRow[]) => rows.insertGroups(db, set, userName),
    update: (db: Context['db'], set: readonly GroupRow[]) => rows.updateGroups(db, set, userName),
    facts: ({ name, pos }: GroupRow) => ({ name, pos }),
  }
  const outcomes = await upsert(ctx, rules, objects)
  await move(ctx, model, places)
  return outcomes
}

const placeOf = (group: { tid?: string; pos?: number } | undefined): Place =>
  group?.tid === undefined ? undefined : { tid: group.tid, pos: group.pos ?? 0 }

/** The attributes that a message names, in its order. */
function attributesIn(
  model: Model,
  itm: readonly { value?: string; key?: string }[] = [],
  isVisible: (definition: Definition) => boolean,
): Definition[] {
  const named = itm.flatMap(({ value, key }) => value ?? key ?? [])
  const twice = named.find((tid, i) => named.indexOf(tid) < i)
  if (twice !== undefined)
    throw new Problem('invalid', `references: the attribute ${twice} is named twice; send it once`)
  return named.map((tid) => {
    const definition = model.definition(tid)
    if (definition && isVisible(definition)) return definition
    throw new Problem('notFound', because('groupAttribute', { attribute: tid }))
  })
}

/** Writes the places of the definitions that moved, and records them. */
async function move(ctx: Context, model: Model, places: ReadonlyMap<string, Place>): Promise<void> {
  const { userName } = ctx.caller
  const moved = [...places].flatMap(([tid, to]) => {
    const { row } = model.definition(tid)!
    const from = placeOf(row.definition.group)
    return from?.tid === to?.tid && from?.pos === to?.pos ? [] : [{ row, from, to }]
  })
  if (moved.length === 0) return
  const changed = moved.map(({ row, to }) => {
    const { group: _, ...definition } = row.definition
    return { ...row, definition: { ...definition, ...(to && { group: to }) } }
  })
  await updateDefinitions(ctx.db, changed, userName)
  const touched = moved.flatMap(({ from, to }) => [from?.tid ?? [], to?.tid ?? []].flat())
  await rows.touchGroups(ctx.db, [...new Set(touched)], userName)
  for (const { row, from, to } of moved)
    ctx.record({ dataType: 'attrDefinition', id: row.id, event: 'UPDATE', action: 'group', changes: { group: { from, to } } }) // prettier-ignore
}

async function deleteAll(ctx: Context, models: Models, actions: readonly ActionValue[]): Promise<readonly Outcome[]> {
  const model = await models.lock(ctx.db)
  const find = finder('attrGroup', model.groups)
  const found = actions.map(find)
  const guarded = await rows.findGuarded(ctx.db, found.flatMap((row) => (row instanceof Problem ? [] : [row.tid]))) // prettier-ignore
  const deleted = new Map<number, GroupRow>()
  const outcomes = found.map((row, i): Outcome => {
    if (row instanceof Problem) return row
    if (deleted.has(row.id)) return finder('attrGroup', [])(actions[i]!) as Problem
    if (guarded.has(row.tid)) return new Problem('inUse', because('groupInRoles', { group: row.tid }))
    deleted.set(row.id, row)
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  if (deleted.size === 0) return outcomes
  const gone = new Set([...deleted.values()].map(({ tid }) => tid))
  await move(
    ctx,
    model,
    new Map([...gone].flatMap((group) => model.membersOf(group)).map(({ tid }): [string, Place] => [tid, undefined])),
  )
  await rows.deleteGroups(ctx.db, [...deleted.keys()])
  for (const { id, tid } of deleted.values())
    ctx.record({ dataType: 'attrGroup', id, event: 'DELETE', changes: { tid }, gone: { tid } })
  return outcomes
}
