/**
 * Copies of keyword subtrees, a whole batch at a time, with the same few statements for any number.
 *
 * A copy that reads or fills what an earlier one of the batch has made waits until that is written; then the rest of
 * the batch is looked at afresh.
 */
import { type Done, type Outcome, soundOf } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/ids.sql.ts'
import { isWithin } from '../../core/names.ts'
import { Problem } from '../../errors.ts'
import * as rows from './keywords.sql.ts'
import { type Address, named, notFound, sameAs } from './keywords.tree.ts'

export interface Copy {
  readonly source: Address
  /** Where the copy goes; the path '' is the root. */
  readonly parent: Address
  readonly newName?: string
}

interface Plan {
  readonly source: rows.KeywordRow
  readonly parentId: number | null
  readonly name: string
  readonly path: string
}

export async function copyTrees(ctx: Context, copies: readonly (Copy | Problem)[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const outcomes: Outcome[] = []
  while (outcomes.length < copies.length) outcomes.push(...(await copySome(ctx, copies.slice(outcomes.length))))
  return outcomes
}

/** Settles copies from the first on, until one depends on what was made meanwhile. */
async function copySome(ctx: Context, copies: readonly (Copy | Problem)[]): Promise<Outcome[]> {
  const plans = await planAll(ctx, copies)
  const sound = soundOf(plans)
  const trees = await rows.findSubtrees(
    ctx.db,
    sound.map(({ source }) => source.path),
  )
  const taken = await rows.findKeywords(
    ctx.db,
    [],
    sound.map(({ path }) => path),
  )
  const paths = new Set(taken.map((row) => row.path))
  const treeOf = ({ source }: Plan) => trees.filter((row) => isWithin(row.path, source.path))
  const ids = await newIds(
    ctx.db,
    sound.reduce((sum, plan) => sum + treeOf(plan).length, 0),
  )
  const made: rows.KeywordRow[] = []
  const outcomes: Outcome[] = []
  for (const plan of plans) {
    const depends =
      plan instanceof Problem ? plan.kind === 'notFound' : made.some(({ path }) => isWithin(path, plan.source.path))
    if (depends && made.length > 0) break
    if (plan instanceof Problem) outcomes.push(plan)
    else if (paths.has(plan.path)) outcomes.push(new Problem('exists', `a keyword ${plan.path} exists already`))
    else {
      outcomes.push(copyTree(ctx, plan, treeOf(plan), ids, made))
      paths.add(plan.path)
    }
  }
  if (made.length > 0) await rows.insertKeywords(ctx.db, made, ctx.caller.userName)
  return outcomes
}

async function planAll({ db }: Context, copies: readonly (Copy | Problem)[]): Promise<(Plan | Problem)[]> {
  const known = await named(
    db,
    copies.flatMap((copy) => (copy instanceof Problem ? [] : [copy.source, copy.parent])),
  )
  return copies.map((copy) => {
    if (copy instanceof Problem) return copy
    const source = known.find(sameAs(copy.source))
    const parent = known.find(sameAs(copy.parent))
    const toRoot = 'path' in copy.parent && copy.parent.path === ''
    if (!source) return notFound('keyword', copy.source)
    if (!parent && !toRoot) return notFound('destination keyword', copy.parent)
    const name = copy.newName ?? source.name
    return { source, parentId: parent?.id ?? null, name, path: `${parent?.path ?? ''}/${name}` }
  })
}

/** Parents come before children in `tree`, so a copied parent is always known when its children are. */
function copyTree(ctx: Context, plan: Plan, tree: rows.KeywordRow[], ids: number[], made: rows.KeywordRow[]): Done {
  const copyOf = new Map<number, number>()
  for (const row of tree) {
    const id = ids.shift()!
    const isTop = row.id === plan.source.id
    const path = plan.path + row.path.slice(plan.source.path.length)
    copyOf.set(row.id, id)
    made.push({
      id,
      parentId: isTop ? plan.parentId : copyOf.get(row.parentId!)!,
      name: isTop ? plan.name : row.name,
      path,
      names: row.names,
    })
    ctx.record({ dataType: 'keyword', id, event: 'CREATE', action: 'copy', changes: { path, copyOf: row.id } })
  }
  return { action: 'copy', id: copyOf.get(plan.source.id)!, path: plan.path }
}
