/**
 * The rules of /common/keywords.
 *
 * A keyword is known by its id or its path, the technical names from the root down. The item of `name` without a locale
 * is the technical name; the others are translations. persist creates when neither id nor path is given, and otherwise
 * changes what was sent; a parent that differs from the present one moves the keyword.
 */
import type { common, Infer, Keyword } from '@kontor/contract'
import { orProblem, type Outcome } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/handlers.ts'
import { cleanName, cleanPath, cleanSegment, isWithin, parentPathOf } from '../../core/names.ts'
import { metaOf } from '../../core/settle.ts'
import { checkLocale } from '../locales/locales.ts'
import type { Targets } from '../links/targets.ts'
import { linkedObjects } from '../links/links.ts'
import { Problem } from '../../errors.ts'
import * as rows from './keywords.sql.ts'
import { type Copy, copyTrees } from './keywords.copy.ts'
import { type Address, applyEdits, type Edit, named, notFound, sameAs, toAddress } from './keywords.tree.ts'

type KeywordValue = Infer<typeof Keyword>
const pageSize = 1000

export function keywords(targets: Targets): Handlers<typeof common.resources.keywords> {
  return {
    async retrieve({ db }, { path = '/', level = 1, retrieveLinks = false }) {
      if (level === 0 || level < -1) {
        throw new Problem(
          'invalid',
          `/keywordRequest/level: ${level} is not a level; expected -1 for all or 1 and more`,
        )
      }
      const top = cleanPath(path)
      if (top !== '' && (await rows.findKeywords(db, [], [top])).length === 0) {
        throw new Problem('notFound', `no keyword has the path ${top}`)
      }
      return { kwds: list(db, targets, top, level, retrieveLinks) }
    },

    persist: (ctx, objects) => applyEdits(ctx, objects.map(orProblem(toEdit))),

    perform: {
      delete: deleteAll,
      move: (ctx, actions) => applyEdits(ctx, actions.map(orProblem(toMove))),
      copy: (ctx, actions) => copyTrees(ctx, actions.map(orProblem(toCopy))),
    },
  }
}

/** Page after page, each from one statement, so that a tree of any size is sent in flat memory. */
async function* list(db: Context['db'], targets: Targets, top: string, level: number, withLinks: boolean) {
  for (let after = top; ;) {
    const page = await rows.listKeywords(db, top, level, after, pageSize)
    const links = withLinks
      ? await linkedObjects(
          db,
          targets,
          'keywordToAsset',
          page.map((row) => row.id),
        )
      : undefined
    for (const row of page) yield toKeyword(row, links?.get(row.id))
    if (page.length < pageSize) return
    after = page.at(-1)!.path
  }
}

function toKeyword(row: rows.ListedKeyword, links: KeywordValue['links']): KeywordValue {
  const meta = {
    creationDate: row.createdAt.toISOString(),
    creationUser: row.createdBy,
    modificationDate: row.modifiedAt.toISOString(),
    modificationUser: row.modifiedBy,
    orderNumber: String(row.orderNumber),
  }
  return {
    name: { itm: [{ value: row.name }, ...Object.entries(row.names).map(([loc, value]) => ({ value, loc }))] },
    meta: { itm: Object.entries(meta).map(([key, value]) => ({ value, key })) },
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
      : [[checkLocale('name', loc), value === undefined ? '' : cleanName(`the name in ${loc}`, value)]],
  )
  return {
    target,
    parent,
    ...(technical && { name: cleanSegment('the technical name', technical.value) }),
    names: Object.fromEntries(names) as Record<string, string>,
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
    ...(newName !== undefined && { newName: cleanSegment('meta newName', newName) }),
  }
}

function destinationOf(action: ActionValue): Address {
  const meta = metaOf(action)
  const id = meta.get('destinationParentId') ?? meta.get('parentId')
  const path = meta.get('destinationParentPath') ?? meta.get('parentPath')
  if (id !== undefined && !/^\d{1,15}$/.test(id))
    throw new Problem('invalid', `meta destinationParentId: ${id} is not an id`)
  const address = toAddress(id === undefined ? undefined : Number(id), path)
  if (!address) {
    throw new Problem(
      'invalid',
      `${action.type} needs meta destinationParentId or destinationParentPath (/ for the root)`,
    )
  }
  return address
}

/** Deletes subtrees. What is in use is refused, unless `force` says to unlink it. */
async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const addresses = actions.map((action) => toAddress(action.id, action.path)!)
  const tops = await named(ctx.db, addresses)
  const trees = await rows.findSubtrees(
    ctx.db,
    tops.map((top) => top.path),
  )
  const links = Map.groupBy(
    await rows.countLinks(
      ctx.db,
      trees.map((row) => row.id),
    ),
    ({ id }) => id,
  )
  const gone = new Set<number>()
  const outcomes = actions.map((action, i): Outcome => {
    const address = addresses[i]!
    const top = tops.find(sameAs(address))
    if (!top || gone.has(top.id)) return notFound('keyword', address)
    const tree = trees.filter((row) => isWithin(row.path, top.path))
    const uses = tree.flatMap((row) =>
      (links.get(row.id) ?? []).map(({ kind, count }) => `${row.path} by ${count} ${kind} links`),
    )
    if (uses.length > 0 && metaOf(action).get('force') !== 'true') {
      return new Problem('inUse', `in use: ${uses.slice(0, 10).join(', ')}; unlink it first or send meta force=true`)
    }
    for (const row of tree) {
      if (gone.has(row.id)) continue
      gone.add(row.id)
      ctx.record({ dataType: 'keyword', id: row.id, event: 'DELETE', changes: { path: row.path } })
    }
    return { action: 'delete', id: top.id, path: top.path }
  })
  await rows.deleteKeywords(ctx.db, [...gone])
  return outcomes
}
