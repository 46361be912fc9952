/**
 * The import: turns rows into objects and settles them as persist does.
 *
 * Rows are processed in chunks. A chunk is one transaction: its objects, the outcome of each row, and the progress of
 * the import. A process that dies in the middle leaves whole chunks; the next one reads the file again, skips the
 * finished rows and continues. So each row is stored exactly once. A check does the same and rolls back the objects.
 */
import { because, productTypes } from '@kontor/contract'
import { inBatch, type Response, warningsOf } from '../core/batch/batch.ts'
import type { Caller, Change, Context } from '../core/context.ts'
import type { Mounted } from '../core/batch/handlers.ts'
import { meets, needsOf } from '../core/access/permissions.ts'
import { settleItems } from '../core/batch/settle.ts'
import { sizeOf } from '../core/batch/sizes.ts'
import { Problem } from '../errors.ts'
import { applyProfile, toItem } from './mapping.ts'
import { categoryFinder } from './categories.ts'
import { downloadFiles } from './downloads.ts'
import { assetFinder, type Media, mediaNames, storeMedia } from './media.ts'
import { isNothing, makeModel, type Missing } from './layouts/model.ts'
import { demandResource, productsOf, readerOf, type TransferNeeds } from './needs.ts'
import { type Opened, withSource } from './open.ts'
import { type Fault, faultsOf, type RowOutcome, UnreadCells } from './outcomes.ts'
import type { Profile } from './options.ts'
import type { Plan } from './plan.ts'
import type { SourceRow } from './read/source.ts'
import * as rows from './transfers.sql.ts'
import { changedSources, confirmStored } from './translated.ts'

export const importJob = 'transfer.import'

const chunkRows = 500
/** Characters of a chunk, except for a single longer row. */
const maxChunk = 1024 * 1024

/** The import was paused, cancelled, or taken over by another process meanwhile. */
class NoLongerOurs extends Error {}
/** Thrown out of a savepoint to undo the writes of a check. */
class Undo extends Error {}

const layoutRemedy =
  'create what is missing, give the columns another meaning or ignore them in a profile, or import with createModel'

/** Runs until the end of the file or until it is stopped. Returns whether there is more to do. */
export async function runImport(needs: TransferNeeds, id: string, stop: AbortSignal): Promise<boolean> {
  const { database } = needs
  const row = await rows.findTransfer(database, id)
  if (!row || (row.state !== 'running' && row.state !== 'validating')) return false
  try {
    const reader = readerOf(needs, await needs.callerNow(row.principal))
    const ended = await withSource(reader, needs, row, (opened) => importRows(needs, row, opened, stop))
    if (ended) {
      await rows.countObjects(database, id)
      await rows.setState(database, id, row.dry ? 'validated' : 'finished')
    }
    return !ended
  } catch (error) {
    if (error instanceof NoLongerOurs) return false
    if (error instanceof Problem && error.kind !== 'unavailable') {
      // A check never ends an import: its columns can be mapped in another way.
      await rows.setState(database, id, row.dry ? 'received' : 'failed', error.message)
      return false
    }
    throw error
  }
}

async function importRows(
  needs: TransferNeeds,
  row: rows.TransferRow,
  opened: Opened,
  stop: AbortSignal,
): Promise<boolean> {
  const { plan } = opened
  const unread = [...(plan?.faults ?? [])].slice(0, maxFaults).map(([heading, fault]) => `column ${heading}: ${fault}`)
  if (unread.length > 0) throw new Problem('invalid', plan?.sentHeadings ? [...unread, layoutRemedy] : unread)
  if (opened.notes) await rows.setNotes(needs.database, row.id, opened.notes)
  await createMissing(needs, row, opened)
  const media = await storeMedia(needs, row, opened)
  let chunk: SourceRow[] = []
  let done = row.processed
  let length = 0
  const flush = async () => {
    if (chunk.length === 0) return
    if (plan && !row.dry) await downloadFiles(needs, row, plan, chunk, media)
    const caller = await needs.callerNow(row.principal)
    const toMapped = createMapper(needs, caller, row.options, plan, media)
    await settleChunk(needs, caller, row, toMapped, opened, chunk, { done, share: opened.share() })
    done += chunk.length
    chunk = []
  }
  for await (const one of opened.source.rows) {
    if (one.number <= row.processed) continue
    length += lengthOf(one)
    if (chunk.push(one) < chunkRows && length < maxChunk) continue
    await flush()
    length = 0
    if (stop.aborted) return false
  }
  await flush()
  await rows.setImported(needs.database, row.id, done)
  if (plan?.levels.some(({ assets }) => assets.some(({ isOptional }) => isOptional)))
    await rows.noteWarnings(needs.database, row.id)
  return true
}

/** With `createModel`: creates attributes and nodes before the rows that need them. A check does so in each chunk. */
async function createMissing(needs: TransferNeeds, { dry, principal }: rows.TransferRow, { missing }: Opened) {
  if (dry || !missing || isNothing(missing)) return
  const caller = await needs.callerNow(principal)
  await inBatch(needs, caller, (ctx) => makeModel(ctx, modelResource(needs, caller), missing))
}

const modelResource = (needs: TransferNeeds, caller: Caller) => (path: string) => {
  const mounted = allowed(demandResource(needs, path), caller)
  if (!(mounted instanceof Problem)) return mounted
  throw new Problem(mounted.kind, `createModel: ${mounted.message}`)
}

// Rows to objects

interface Mapped {
  readonly verb: 'persist' | 'perform'
  readonly mounted: Mounted
  readonly container: string
  readonly item: object
  readonly warnings?: Fault[]
}
type Mapper = (ctx: Context, chunk: readonly SourceRow[]) => Promise<(Mapped | Problem)[]>

function createMapper(
  needs: TransferNeeds,
  caller: Caller,
  { profile }: rows.TransferRow['options'],
  plan: Plan | undefined,
  media: Media,
): Mapper {
  const resources = [...needs.resources().values()]
  const products = productsOf(needs)
  const byContainer = new Map<string, Mounted | Problem>([['products', allowed(products, caller)]])
  const find = (container: string): Mounted | Problem => {
    const known = byContainer.get(container)
    if (known) return known
    const found = resources.find(({ resource }) => resource.persist && resource.container === container && resource.element !== 'itms') // prettier-ignore
    const settled = found
      ? allowed(found, caller)
      : new Problem('invalid', `${container} cannot be imported from a file`)
    byContainer.set(container, settled)
    return settled
  }
  const toMapped = (row: SourceRow, assetOf: (name: string) => string, nodeOf: (text: string) => string) => {
    if ('fault' in row) return new Problem('invalid', row.fault)
    const unread = 'cells' in row && row.faults && UnreadCells.of(plan!, row.faults)
    if (unread) return unread
    if ('cells' in row && row.isDeletion)
      return toDeletion(products, caller, profile, row.cells[plan!.levels[0].tid] ?? '')
    const container = 'cells' in row ? 'products' : row.container
    const mounted = find(container)
    if (mounted instanceof Problem) return mounted
    const verb = 'persist'
    if ('item' in row) return { verb, mounted, container, item: row.item } as const
    try {
      const warnings: Fault[] = []
      const item = toItem(plan!, row.cells, assetOf, nodeOf, (fault) => void warnings.push(fault))
      return { verb, mounted, container, item, ...(warnings.length > 0 && { warnings }) } as const
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }
  return async (ctx, chunk) => {
    const read = plan ? chunk.map((row) => applyProfile(plan, row)) : chunk
    const changed = await changedSources(needs, ctx, read)
    const assetOf = await assetFinder(needs, ctx, plan, media, read)
    const nodeOf = await categoryFinder(needs, ctx, plan)
    return read.map((row) => changed.get(row) ?? toMapped(row, assetOf, nodeOf))
  }
}

/** A catalogue may ask to delete a product; the profile decides. */
function toDeletion(
  products: Mounted,
  caller: Caller,
  { deletions = 'refuse' }: Profile = {},
  tid: string,
): Mapped | Problem {
  if (deletions === 'refuse')
    return new Problem('invalid', because('deletionNotAllowed', { tid: tid.slice(0, 100) })) // prettier-ignore
  const mounted = allowed(products, caller, 'perform')
  if (mounted instanceof Problem) return mounted
  return { verb: 'perform', mounted, container: 'actions', item: { dataType: 'product', type: 'delete', tid } }
}

/** Checks the rights that a route would check. */
function allowed(
  mounted: Mounted,
  { roles, permissions }: Caller,
  verb: Mapped['verb'] = 'persist',
): Mounted | Problem {
  const { resource } = mounted
  if (resource.access === 'admin' && !roles.has('admin')) return new Problem('forbidden', `${resource.container}: this needs the role admin`) // prettier-ignore
  if (meets(permissions, needsOf(resource, verb))) return mounted
  return new Problem(
    'forbidden',
    `your roles do not allow to ${verb === 'persist' ? 'store' : 'delete'} ${resource.container}`,
  )
}

// Chunks

function settleChunk(
  needs: TransferNeeds,
  caller: Caller,
  { id, dry }: rows.TransferRow,
  toMapped: Mapper,
  { plan, missing }: Opened,
  chunk: readonly SourceRow[],
  { done, share }: { done: number; share: number },
): Promise<void> {
  return inBatch(needs, caller, async (ctx) => {
    const now = await rows.lockTransfer(ctx.db, id)
    const isOurs = now && (now.state === 'running' || now.state === 'validating') && now.processed === done
    if (!isOurs) throw new NoLongerOurs()
    const mapped = await toMapped(ctx, chunk)
    const outcomes = dry
      ? await settleAndUndo(needs, ctx, missing, plan, chunk, mapped)
      : await settle(ctx, needs.productsWith, plan, chunk, mapped)
    if (!dry) await confirmStored(needs, ctx, chunk, outcomes)
    const count = (status: RowOutcome['status']) => outcomes.filter((one) => one.status === status).length
    await rows.noteOutcomes(ctx.db, id, {
      firstRow: chunk[0]!.number,
      rows: chunk.length,
      share,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      deleted: count('deleted'),
      json: JSON.stringify(outcomes),
    })
  })
}

type Settled = [plan: Plan | undefined, chunk: readonly SourceRow[], mapped: readonly (Mapped | Problem)[]]

/** Consecutive objects of one kind are settled as a set; the order is kept. */
async function settle(
  ctx: Context,
  productsWith: TransferNeeds['productsWith'],
  ...[plan, chunk, mapped]: Settled
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from = 0, to = 0; from < mapped.length; from = to) {
    const first = mapped[from]!
    to = from + 1
    if (first instanceof Problem) {
      outcomes.push({ row: chunk[from]!.number, status: 'refused', faults: faultsOf(plan, first) })
      continue
    }
    const isSame = (one: Mapped | Problem | undefined) => one && !(one instanceof Problem) && one.mounted === first.mounted && one.verb === first.verb // prettier-ignore
    while (isSame(mapped[to])) to++
    const items = mapped.slice(from, to) as Mapped[]
    const recorded: Change[] = []
    const record: Context['record'] = (change) => {
      recorded.push(change)
      ctx.record(change)
    }
    const records = await settleItems({ ...ctx, record }, first.mounted, first.verb, items, false)
    const changed = await changedBy(ctx, productsWith, recorded, records)
    outcomes.push(
      ...records.map((one, i) => {
        const warnings = [...(items[i]!.warnings ?? []), ...warningsOf(one).flatMap((text) => faultsOf(plan, text))]
        const outcome = toOutcome(plan, chunk[from + i]!.number, one, changed, first.verb)
        return { ...outcome, ...(warnings.length > 0 && { warnings }) }
      }),
    )
  }
  return outcomes
}

async function settleAndUndo(
  needs: TransferNeeds,
  ctx: Context,
  missing: Missing | undefined,
  ...rest: Settled
): Promise<RowOutcome[]> {
  let outcomes: RowOutcome[] = []
  const nothing = () => {}
  await ctx.db
    .transaction(async (db) => {
      const inside = { ...ctx, db, record: nothing, audit: nothing }
      if (missing && !isNothing(missing)) await makeModel(inside, modelResource(needs, ctx.caller), missing)
      outcomes = await settle(inside, needs.productsWith, ...rest)
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return outcomes
}

/** The ids of objects that rows have created and changed. */
interface Changed {
  readonly created: Set<number>
  has(id: number): boolean
}

/** Changes of articles and variations are changes of their products. */
async function changedBy(
  { db }: Context,
  productsWith: TransferNeeds['productsWith'],
  changes: readonly Change[],
  records: readonly Response[],
): Promise<Changed> {
  const created = new Set(changes.flatMap(({ event, id }) => (event === 'CREATE' ? id : [])))
  const parts = changes.filter(({ dataType }) => (productTypes as readonly string[]).includes(dataType))
  const ids = new Set(changes.map(({ id }) => id))
  if (parts.length > 0) {
    const products = await productsWith(db, parts.map(({ id }) => id)) // prettier-ignore
    return { created, has: (id) => ids.has(id) || products.has(id) }
  }
  // The parts of other objects are not known here: if one has changed, any of these objects may have.
  const own = new Set(records.map(({ id }) => Number(id)))
  const isClear = [...ids].every((id) => own.has(id))
  return { created, has: (id) => !isClear || ids.has(id) }
}

/** Of several rows about one object, the first one created it. */
function toOutcome(
  plan: Plan | undefined,
  row: number,
  record: Response,
  changed: Changed,
  verb: Mapped['verb'],
): RowOutcome {
  const { status, id, description = '' } = record
  const tid = record.tid === undefined ? {} : { tid: record.tid }
  if (status !== 'SUCCESS') return { row, status: 'refused', ...tid, faults: faultsOf(plan, description) }
  if (verb === 'perform') return { row, status: 'deleted', ...tid }
  if (changed.created.delete(Number(id))) return { row, status: 'created', ...tid }
  return { row, status: changed.has(Number(id)) ? 'updated' : 'unchanged', ...tid }
}

/** Shows how the first rows are understood and what their outcome would be. Nothing is stored. */
export async function previewRows(
  needs: TransferNeeds,
  caller: Caller,
  { options }: rows.TransferRow,
  opened: Opened,
  count: number,
): Promise<{ row: number; item?: object; faults: Fault[]; warnings?: Fault[] }[]> {
  const chunk: SourceRow[] = []
  let length = 0
  for await (const one of opened.source.rows) {
    length += lengthOf(one)
    if (chunk.length > 0 && length > maxPreview) break
    if (chunk.push(one) >= count) break
  }
  const toMapped = createMapper(needs, caller, options, opened.plan, mediaNames(opened))
  const mapped = await toMapped(readerOf(needs, caller), chunk)
  const outcomes = await inBatch(needs, caller, (ctx) =>
    settleAndUndo(needs, ctx, opened.missing, opened.plan, chunk, mapped),
  )
  return chunk.map(({ number }, i) => {
    const one = mapped[i]!
    const warnings = outcomes[i]?.warnings
    return {
      row: number,
      ...(!(one instanceof Problem) && { item: shortened(one.item) }),
      faults: (outcomes[i]?.faults ?? (one instanceof Problem ? faultsOf(opened.plan, one) : []))
        .slice(0, maxFaults)
        .map(shortened),
      ...(warnings && { warnings: warnings.slice(0, maxFaults).map(shortened) }),
    }
  })
}

/** Bounds of a preview. It is read by people, who see the beginning of a long text. */
const maxPreview = 1024 * 1024
const maxFaults = 100
const maxShown = 1000

/** Roughly the characters of a row. */
const lengthOf = (row: SourceRow): number =>
  'cells' in row ? sizeOf(row.cells) : 'item' in row ? sizeOf(row.item) + sizeOf(row.translated?.texts) : 0

function shortened<T>(value: T): T
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxShown ? `${value.slice(0, maxShown)}…` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]))
}
