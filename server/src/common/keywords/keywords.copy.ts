/**
 * Copies keyword subtrees, a whole batch at a time, with the same few statements for any number.
 *
 * A copy that reads or fills the result of an earlier copy of the batch waits until that is written; then the rest of
 * the batch is planned again. Copying a tree into itself doubles it each time, so the number of copies per batch is
 * limited.
 */
import { because } from '@kontor/contract'
import { type Done, orProblem, type Outcome, soundOf } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { isWithin } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { demandRight } from './keywords.access.ts'
import * as rows from './keywords.sql.ts'
import { type Address, checkLength, named, notFound, sameAs, subtreesIn } from './keywords.tree.ts'

export interface Copy {
  readonly source: Address
  /** The target of the copy; the path '' is the root. */
  readonly parent: Address
  readonly newName?: string
}

interface Plan {
  readonly source: rows.KeywordRow
  readonly parentId: number | null
  readonly name: string
  readonly path: string
}

/** The most keywords that the copies of one batch may create. */
const maxMade = 20_000

export async function copyTrees(ctx: Context, copies: readonly (Copy | Problem)[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const outcomes: Outcome[] = []
  let remaining = maxMade
  while (outcomes.length < copies.length) {
    const { settled, made } = await copySome(ctx, copies.slice(outcomes.length), remaining)
    outcomes.push(...settled)
    remaining -= made
  }
  return outcomes
}

/** Settles copies from the first on, until one depends on a result that is not written yet. */
async function copySome(ctx: Context, copies: readonly (Copy | Problem)[], remaining: number) {
  const plans = await refuseMany(ctx, await planAll(ctx, copies), remaining)
  const sources = soundOf(plans).map(({ source }) => source.path)
  const destinations = soundOf(plans).map(({ path }) => path)
  const treeOf = subtreesIn(await rows.findSubtrees(ctx.db, sources))
  const taken = new Set((await rows.findKeywords(ctx.db, [], destinations)).map(({ path }) => path))
  const size = soundOf(plans).reduce((sum, { source }) => sum + treeOf(source).length, 0)
  const ids = (await newIds(ctx.db, size)).toReversed() // taken from the end, lowest first, because ids order siblings
  const tops: string[] = []
  const made: rows.KeywordRow[] = []
  const settled: Outcome[] = []
  for (const plan of plans) {
    const depends =
      plan instanceof Problem ? plan.kind === 'notFound' : tops.some((top) => isWithin(top, plan.source.path))
    if (depends && made.length > 0) break
    if (plan instanceof Problem) settled.push(plan)
    else if (taken.has(plan.path)) settled.push(new Problem('exists', because('keywordCopyTaken', { path: plan.path })))
    else {
      const outcome = orProblem(() => copyTree(ctx, plan, treeOf(plan.source), ids, made))(plan)
      settled.push(outcome)
      if (outcome instanceof Problem) continue
      taken.add(plan.path)
      tops.push(plan.path)
    }
  }
  if (made.length > 0) await rows.insertKeywords(ctx.db, made, ctx.caller.userName)
  return { settled, made: made.length }
}

async function planAll(ctx: Context, copies: readonly (Copy | Problem)[]): Promise<(Plan | Problem)[]> {
  const known = await named(
    ctx,
    soundOf(copies).flatMap(({ source, parent }) => [source, parent]),
  )
  const plan = (copy: Copy): Plan | Problem => {
    const source = known.find(sameAs(copy.source))
    const parent = known.find(sameAs(copy.parent))
    const toRoot = 'path' in copy.parent && copy.parent.path === ''
    if (!source) return notFound('keyword', copy.source)
    if (!parent && !toRoot) return notFound('destination keyword', copy.parent)
    const name = copy.newName ?? source.name
    const path = `${parent?.path ?? ''}/${name}`
    demandRight(ctx, 'create', path)
    return { source, parentId: parent?.id ?? null, name, path }
  }
  return copies.map((copy) => (copy instanceof Problem ? copy : orProblem(plan)(copy)))
}

/** Refuses the plans that exceed the limit, before their subtrees are loaded. */
async function refuseMany({ db }: Context, plans: readonly (Plan | Problem)[], remaining: number) {
  const sizes = await rows.countSubtrees(
    db,
    soundOf(plans).map(({ source }) => source.path),
  )
  const sizeOf = new Map(sizes.map(({ path, size }) => [path, size]))
  let left = remaining
  return plans.map((plan) => {
    if (plan instanceof Problem) return plan
    const size = sizeOf.get(plan.source.path)!
    if (size > left) {
      return new Problem('invalid', `the copies of this message would make more than ${maxMade} keywords`)
    }
    left -= size
    return plan
  })
}

/** Parents come before children in `tree`, so a copied parent is always known when its children are. */
function copyTree(ctx: Context, plan: Plan, tree: rows.KeywordRow[], ids: number[], made: rows.KeywordRow[]): Done {
  const pathOf = (row: rows.KeywordRow) => plan.path + row.path.slice(plan.source.path.length)
  for (const row of tree) checkLength(pathOf(row))
  const copyOf = new Map<number, number>()
  for (const row of tree) {
    const id = ids.pop()!
    const path = pathOf(row)
    const isTop = row.id === plan.source.id
    copyOf.set(row.id, id)
    made.push({
      ...row,
      id,
      path,
      parentId: isTop ? plan.parentId : copyOf.get(row.parentId!)!,
      name: isTop ? plan.name : row.name,
    })
    ctx.record({ dataType: 'keyword', id, event: 'CREATE', action: 'copy', changes: { path, copyOf: row.id } })
  }
  return { action: 'copy', id: copyOf.get(plan.source.id)!, path: plan.path }
}
