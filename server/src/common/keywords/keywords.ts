/**
 * The rules of /common/keywords.
 *
 * A keyword is known by its id or its path, the technical names from the root down. The item of `name` without a locale
 * is the technical name; the others are translations. persist creates when neither id nor path is given, and otherwise
 * changes what was sent; a parent that differs from the present one moves the keyword.
 */
import type { common, Infer, Keyword } from '@kontor/contract'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { cleanPath, cleanSegment, newSegment, parentPathOf, sentName } from '../../core/batch/names.ts'
import { allowsAt, type Rights, rightsAt } from '../../core/access/permissions.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { checkLocale } from '../locales/locales.ts'
import type { Target, Targets } from '../links/targets.ts'
import { linkedObjects } from '../links/links.ts'
import { Problem } from '../../errors.ts'
import { stampsOf, toId, toMeta } from '../meta.ts'
import { notAllowed } from './keywords.access.ts'
import * as rows from './keywords.sql.ts'
import { type Copy, copyTrees } from './keywords.copy.ts'
import { type Address, applyEdits, type Edit, named, notFound, sameAs, subtreesIn, toAddress } from './keywords.tree.ts'

type KeywordValue = Infer<typeof Keyword>
const pageSize = 1000

export function keywords(targets: Targets): Handlers<typeof common.resources.keywords> {
  return {
    async retrieve(ctx, { path = '/', level = 1, retrieveLinks = false }) {
      if (level === 0 || level < -1) {
        throw new Problem(
          'invalid',
          `/keywordRequest/level: ${level} is not a level; expected -1 for all or 1 and more`,
        )
      }
      const top = cleanPath(path)
      if (top !== '' && (await named(ctx, [{ path: top }])).length === 0) {
        throw new Problem('notFound', `no keyword has the path ${top}`)
      }
      return { kwds: list(ctx, targets, top, level, retrieveLinks) }
    },

    persist: (ctx, objects) => applyEdits(ctx, objects.map(orProblem(toEdit))),

    perform: {
      delete: deleteAll,
      move: (ctx, actions) => applyEdits(ctx, actions.map(orProblem(toMove))),
      copy: (ctx, actions) => copyTrees(ctx, actions.map(orProblem(toCopy))),
    },
  }
}

/** Keywords as targets of links. */
const toTarget = ({ id, path }: { id: number; path: string }) => ({
  id,
  path,
  tid: path,
  scopes: [path],
})
export const keywordTarget: Target = {
  lock: async (db, { ids, tids }) => (await rows.shareKeywords(db, ids, tids)).map(toTarget),
  describe: async (db, ids, tids = []) => (await rows.findKeywords(db, ids, tids)).map(toTarget),
}

/** Sends page after page, each from one statement, so that a tree of any size needs the same memory. */
async function* list(ctx: Context, targets: Targets, top: string, level: number, withLinks: boolean) {
  const { db, caller } = ctx
  for (let after = top; ;) {
    const page = await rows.listKeywords(db, top, level, after, pageSize, rows.readable(caller))
    const ids = page.map(({ id }) => id)
    const links = withLinks ? await linkedObjects(ctx, targets, 'keywordToAsset', ids) : undefined
    for (const row of page) {
      yield toKeyword(row, rightsAt(caller.permissions, 'keyword', [row.path]), links?.get(row.id))
    }
    if (page.length < pageSize) return
    after = page.at(-1)!.path
  }
}

function toKeyword(row: rows.ListedKeyword, rights: Rights, links: KeywordValue['links']): KeywordValue {
  const names = Object.entries(row.names).filter(([loc]) => rights.locale(loc).visible)
  return {
    name: { itm: [{ value: row.name }, ...names.map(([loc, value]) => ({ value, loc }))] },
    meta: toMeta({ ...stampsOf(row), orderNumber: String(row.orderNumber) }, row.meta, rights),
    ...(links && { links }),
    id: row.id,
    path: row.path,
    ...(row.parentId !== null && { parentId: row.parentId, parentPath: parentPathOf(row.path) }),
  }
}

function toEdit(keyword: KeywordValue): Edit {
  const target = toAddress(keyword.id, keyword.path)
  const parent = toAddress(keyword.parentId, keyword.parentPath)
  const items = keyword.name?.itm ?? []
  const technical = items.find((item) => item.loc === undefined)
  if (!target && !technical) {
    throw new Problem('invalid', 'name: the technical name is missing; send an itm without loc')
  }
  const names = items.flatMap(({ loc, value }) =>
    loc === undefined
      ? []
      : [[checkLocale('name', loc), value === undefined ? '' : sentName(`the name in ${loc}`, value)]],
  )
  return {
    target,
    parent,
    ...(technical && { name: cleanSegment('the technical name', sentName('the technical name', technical.value)) }),
    names: Object.fromEntries(names) as Record<string, string>,
    meta: keyword.meta,
    action: target ? 'update' : 'create',
  }
}

function toMove(action: ActionValue): Edit {
  return { target: toAddress(action.id, action.path), parent: destinationOf(action), action: 'move' }
}

function toCopy(action: ActionValue): Copy {
  const newName = metaOf(action).get('newName')
  return {
    source: toAddress(action.id, action.path)!,
    parent: destinationOf(action),
    ...(newName !== undefined && { newName: newSegment('meta newName', newName) }),
  }
}

function destinationOf(action: ActionValue): Address {
  const meta = metaOf(action)
  const id = meta.get('destinationParentId') ?? meta.get('parentId')
  const path = meta.get('destinationParentPath') ?? meta.get('parentPath')
  const address = toAddress(id === undefined ? undefined : toId('meta destinationParentId', id), path)
  if (!address) {
    throw new Problem(
      'invalid',
      `${action.type} needs meta destinationParentId or destinationParentPath (/ for the root)`,
    )
  }
  return address
}

/** Deletes subtrees. Keywords in use are refused unless `force` asks to unlink them. */
async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const addresses = actions.map((action) => toAddress(action.id, action.path)!)
  const tops = await named(ctx, addresses)
  const loaded = await rows.lockSubtrees(
    ctx.db,
    tops.map(({ path }) => path),
  )
  const treeOf = subtreesIn(loaded)
  const blockers = await ctx.deletionBlockers(
    'keyword',
    tops.flatMap((top) => treeOf(top).map(({ id }) => ({ topId: top.id, id }))),
  )
  const gone = new Set<number>()
  const outcomes = actions.map((action, i): Outcome => {
    const top = tops.find(sameAs(addresses[i]!))
    if (!top || gone.has(top.id)) return notFound('keyword', addresses[i]!)
    if (!allowsAt(ctx.caller.permissions, 'delete', 'keyword', top.path)) return notAllowed('delete', top.path)
    const refusal =
      metaOf(action).get('force') === 'true' ? undefined : blockers(top.id, `the keyword ${top.path}`, gone)
    if (refusal) return refusal
    for (const row of treeOf(top).filter(({ id }) => !gone.has(id))) {
      gone.add(row.id)
      const { id, path } = row
      ctx.record({
        dataType: 'keyword',
        id,
        event: 'DELETE',
        changes: { path },
        gone: { tid: path, path, scopes: [path] },
      })
    }
    return { action: 'delete', id: top.id, path: top.path }
  })
  await rows.deleteKeywords(ctx.db, [...gone])
  return outcomes
}
