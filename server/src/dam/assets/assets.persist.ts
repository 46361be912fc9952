/**
 * persist of assets: values, meta, names, keywords and other links. Only fields that are sent change.
 *
 * The items are applied in order to rows in memory and then written as sets. persist does not create assets; uploads
 * do.
 */
import { type Ends, mergeMeta, type Targets } from '../../common/api.ts'
import { orProblem, type Outcome, writeEach } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { valueChanges } from '../../pim/api.ts'
import { holdDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { loadRules, type Rules } from '../attribute-definitions/rules.ts'
import {
  addressOf,
  demand,
  demandUnlocked,
  findNamed,
  heldBy,
  notFound,
  placeKey,
  placeOf,
  rightsOf,
} from '../entries.ts'
import { type EntryRow, findHolders, parkNames, placeEntries } from '../entries.sql.ts'
import { cleanEntryName, keyOf } from '../names.ts'
import { checkAssetMatch } from './assets.etag.ts'
import { checkKeywords, type KeywordWish, linkKeywords, lockKeywords, wishesOf } from './assets.keywords.ts'
import { linkWishesOf, type LinkWish, lockLinked, type Resolved, resolveWishes, writeLinks } from './assets.linked.ts'
import { type AssetValue, systemKeys } from './assets.show.ts'
import { writeContents } from './assets.sql.ts'

/** The state of one asset while the batch is applied. */
interface Playing {
  readonly before: EntryRow
  row: EntryRow
  readonly items: number[]
  readonly wishes: KeywordWish[]
  readonly links: Resolved[]
  refusal?: Problem
}

interface Batch {
  readonly ctx: Context
  readonly rules: Rules
  readonly rightsAt: ReturnType<typeof rightsOf>
  readonly holders: Map<string, { id: number; path: string; kind: string }>
  readonly keywords: ReadonlyMap<string, number>
  readonly ends: Ends
}

/** The parsed request for one asset, before the asset is loaded. */
interface Request {
  readonly address: ReturnType<typeof addressOf>
  readonly sent: AssetValue
  readonly name?: string
  readonly wishes: KeywordWish[]
  readonly links: LinkWish[]
}

export async function persistAssets(
  ctx: Context,
  targets: Targets,
  objects: readonly AssetValue[],
): Promise<Outcome[]> {
  await holdDefinitions(ctx.db)
  const requests = objects.map(orProblem(toRequest))
  const sound = requests.filter((one) => !(one instanceof Problem)) as Request[]
  const find = await findNamed(
    ctx,
    'asset',
    sound.flatMap(({ address }) => address ?? []),
    'update',
  )
  await checkAssetMatch(
    ctx,
    targets,
    requests.map((one) => (one instanceof Problem || !one.address ? undefined : find(one.address))),
  )
  const places = sound.flatMap(({ address, name }) => {
    const row = address && find(address)
    return row && name !== undefined && name !== row.name ? [{ place: placeOf(row), nameKey: keyOf(name) }] : []
  })
  const keywords = await lockKeywords(
    ctx,
    sound.flatMap(({ wishes }) => wishes),
  )
  const holders = places.length > 0 ? await findHolders(ctx.db, places) : []
  const batch: Batch = {
    ctx,
    rules: await loadRules(ctx.db),
    rightsAt: rightsOf(ctx, 'asset'),
    holders: new Map(holders.map((row) => [heldBy(row), row])),
    keywords,
    ends: await lockLinked(
      ctx,
      targets,
      sound.flatMap(({ links }) => links),
    ),
  }
  const playing = new Map<number, Playing>()
  const outcomes = requests.map((request, i): Outcome => {
    if (request instanceof Problem) return request
    return orProblem((): Outcome => {
      const found = request.address && find(request.address)
      if (!found) throw request.address ? notFound('asset', request.address) : new Problem('invalid', noName)
      const one = playing.get(found.id) ?? { before: found, row: found, items: [], wishes: [], links: [] }
      const links = resolveWishes(batch.ends, found.id, request.links)
      one.row = change(batch, one.row, request)
      one.links.push(...links)
      one.wishes.push(...request.wishes)
      one.items.push(i)
      playing.set(found.id, one)
      return { action: 'update', id: found.id, tid: found.tid, path: one.row.path }
    })(undefined)
  })
  await write(batch, targets, [...playing.values()], outcomes)
  return outcomes
}

const noName = 'the asset is not named; send its tid or id. Assets are made by uploading a file'

function toRequest(sent: AssetValue): Request {
  const { tid, id, name } = sent
  return {
    address: addressOf({ tid, id }),
    sent,
    ...(name !== undefined && { name: cleanEntryName('name', name) }),
    wishes: wishesOf(sent),
    links: linkWishesOf(sent),
  }
}

function change(
  { ctx, rules, rightsAt, holders, keywords }: Batch,
  row: EntryRow,
  { sent, name, wishes, links }: Request,
): EntryRow {
  demand(ctx, 'update', 'asset', row.dirPath)
  if (links.length > 0) demand(ctx, 'link', 'asset', row.dirPath)
  demandUnlocked(ctx, row)
  checkKeywords(wishes, keywords)
  const next = {
    ...row,
    meta: sent.meta ? mergeMeta(row.meta, sent.meta, systemKeys) : row.meta,
    vals: sent.vals?.val ? rules.merge(row.type!, row.vals, sent.vals.val, rightsAt(row.dirPath)) : row.vals,
  }
  if (name === undefined || name === row.name) return next
  const holder = holders.get(placeKey({ place: placeOf(row), nameKey: keyOf(name) }))
  if (holder && holder.id !== row.id) throw new Problem('exists', `${row.dirPath}/${name} exists already`)
  const renamed = { ...next, name, path: `${row.dirPath}/${name}` }
  holders.delete(heldBy(row))
  holders.set(heldBy(renamed), renamed)
  return renamed
}

async function write(
  { ctx, keywords }: Batch,
  targets: Targets,
  all: readonly Playing[],
  outcomes: Outcome[],
): Promise<void> {
  const { userName } = ctx.caller
  const renamed = all.filter(({ before, row }) => before.name !== row.name)
  const held = new Set(renamed.map(({ before }) => heldBy(before)))
  const exchanged = renamed.some(({ row }) => held.has(heldBy(row)))
  const rename = async (db: Context['db'], set: readonly Playing[]) => {
    if (exchanged)
      await parkNames(
        db,
        set.map(({ row }) => row.id),
      )
    await placeEntries(
      db,
      set.map(({ row: { id, rncId, parentId, name } }) => ({ id, rncId, parentId, name })),
      userName,
    )
  }
  await writeEach(ctx.db, renamed, rename, (one, { code }) => {
    if (code !== '23505') throw new Error(`renaming was refused with ${code}`)
    one.refusal = new Problem('exists', `${one.row.path} exists already`)
  })
  const sound = all.filter(({ refusal }) => !refusal)
  for (const { refusal, items } of all) if (refusal) for (const item of items) outcomes[item] = refusal
  const said = sound.filter(({ before, row }) => before.vals !== row.vals || before.meta !== row.meta)
  if (said.length > 0)
    await writeContents(
      ctx.db,
      said.map(({ row }) => row),
      userName,
    )
  const wishes = new Map(sound.flatMap(({ row, wishes }) => (wishes.length > 0 ? [[row.id, wishes] as const] : [])))
  for (const { before, row } of sound) recordChange(ctx, before, row)
  await linkKeywords(ctx, targets, wishes, keywords)
  await writeLinks(ctx, targets, new Map(sound.map(({ row, links }) => [row.id, links])))
}

function recordChange(ctx: Context, before: EntryRow, row: EntryRow): void {
  const changes = {
    ...(before.name !== row.name && { name: { from: before.name, to: row.name } }),
    ...(JSON.stringify(before.meta) !== JSON.stringify(row.meta) && { meta: { from: before.meta, to: row.meta } }),
    ...valueChanges(before.vals, row.vals),
  }
  const fields = Object.keys(changes)
  const action = fields.length === 1 && fields[0] === 'name' ? 'rename' : 'update'
  if (fields.length > 0) ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action, changes })
}
