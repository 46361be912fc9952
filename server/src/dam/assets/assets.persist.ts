/**
 * persist of assets: values, meta, names, keywords and other links. Only fields that are sent change.
 *
 * The items are applied in order to rows in memory and then written as sets. persist does not create assets; uploads
 * do.
 */
import { because } from '@kontor/contract'
import { type Ends, mergeMeta, type Targets } from '../../common/api.ts'
import { orProblem, type Outcome, writeEach } from '../../core/batch/batch.ts'
import { inTurns } from '../../core/batch/turns.ts'
import type { Context } from '../../core/context.ts'
import { checkNewName } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { valueChanges } from '../../values/api.ts'
import { holdDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { loadRules, type Rules } from '../attribute-definitions/rules.ts'
import {
  addressOf,
  demand,
  demandUnlocked,
  findNamed,
  slotOf,
  notFound,
  slotKey,
  containerOf,
  rightsOf,
} from '../entries.ts'
import { type EntryRow, findHolders, parkNames, writeLocations } from '../entries.sql.ts'
import { keyOf, sentEntryName } from '../names.ts'
import { renewPreviews } from '../files.ts'
import { pointOf, secondOf } from '../renditions/recipe.ts'
import { loadUsage, type UsageBatch } from '../usage/persist.ts'
import { placementKey, refusedPlacements } from '../usage/usage.ts'
import type { UsageTerms } from '../usage/usage.sql.ts'
import { checkAssetMatch } from './assets.etag.ts'
import { checkKeywords, type KeywordRequest, linkKeywords, lockKeywords, keywordRequestsOf } from './assets.keywords.ts'
import {
  linkRequestsOf,
  type LinkRequest,
  lockLinked,
  type ResolvedRequest,
  resolveRequests,
  writeLinks,
} from './assets.linked.ts'
import { type AssetValue, systemKeys } from './assets.messages.ts'
import { writeContents } from './assets.sql.ts'

/** The state of one asset while the batch is applied. */
interface PendingAsset {
  readonly before: EntryRow
  row: EntryRow
  readonly items: number[]
  readonly keywordRequests: KeywordRequest[]
  readonly links: ResolvedRequest[]
  /** The usage rights that were sent; undefined if none were. */
  terms?: UsageTerms | null | undefined
  refusal?: Problem
}

interface Batch {
  readonly ctx: Context
  readonly rules: Rules
  readonly rightsAt: ReturnType<typeof rightsOf>
  readonly holders: Map<string, { id: number; path: string; kind: string }>
  readonly keywords: ReadonlyMap<string, number>
  readonly ends: Ends
  readonly usage: UsageBatch
}

/** The parsed request for one asset, before the asset is loaded. */
interface Request {
  readonly address: ReturnType<typeof addressOf>
  readonly sent: AssetValue
  readonly name?: string
  readonly keywordRequests: KeywordRequest[]
  readonly links: LinkRequest[]
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
  const slots = sound.flatMap(({ address, name }) => {
    const row = address && find(address)
    return row && name !== undefined && name !== row.name
      ? [{ containerId: containerOf(row), nameKey: keyOf(name) }]
      : []
  })
  const keywords = await lockKeywords(
    ctx,
    sound.flatMap(({ keywordRequests }) => keywordRequests),
  )
  const holders = slots.length > 0 ? await findHolders(ctx.db, slots) : []
  const batch: Batch = {
    ctx,
    usage: await loadUsage(ctx, targets, sound.map(({ address, sent }) => ({ row: address && find(address), sent }))), // prettier-ignore

    rules: await loadRules(ctx.db),
    rightsAt: rightsOf(ctx, 'asset'),
    holders: new Map(holders.map((row) => [slotOf(row), row])),
    keywords,
    ends: await lockLinked(
      ctx,
      targets,
      sound.flatMap(({ links }) => links),
    ),
  }
  const pending = new Map<number, PendingAsset>()
  const outcomes = await inTurns(requests, (request, i): Outcome => {
    if (request instanceof Problem) return request
    return orProblem((): Outcome => {
      const found = request.address && find(request.address)
      if (!found) throw request.address ? notFound('asset', request.address) : new Problem('invalid', noName)
      const one = pending.get(found.id) ?? { before: found, row: found, items: [], keywordRequests: [], links: [] }
      const links = resolveRequests(batch.ends, found.id, request.links)
      one.row = change(batch, one.row, request)
      if (request.sent.usageRights) one.terms = batch.usage.termsOf(found.id, request.sent.usageRights)
      one.links.push(...links)
      one.keywordRequests.push(...request.keywordRequests)
      one.items.push(i)
      pending.set(found.id, one)
      return { action: 'update', id: found.id, tid: found.tid, path: one.row.path }
    })(undefined)
  })
  await refusePlacements(ctx, [...pending.values()])
  await write(batch, targets, [...pending.values()], outcomes)
  return outcomes
}

const noName = 'the asset is not named; send its tid or id. Upload a file to create an asset'

function toRequest(sent: AssetValue): Request {
  const { tid, id, name } = sent
  return {
    address: addressOf({ tid, id }),
    sent,
    ...(name !== undefined && { name: sentEntryName('name', name) }),
    keywordRequests: keywordRequestsOf(sent),
    links: linkRequestsOf(sent),
  }
}

function change(
  { ctx, rules, rightsAt, holders, keywords }: Batch,
  row: EntryRow,
  { sent, name, keywordRequests, links }: Request,
): EntryRow {
  demand(ctx, 'update', 'asset', row.dirPath)
  if (links.length > 0) demand(ctx, 'link', 'asset', row.dirPath)
  demandUnlocked(ctx, row)
  checkKeywords(keywordRequests, keywords)
  checkFocalPoint(sent.meta?.itm)
  checkPosterTime(row, sent.meta?.itm)
  const next = {
    ...row,
    meta: sent.meta ? mergeMeta(row.meta, sent.meta, systemKeys, rightsAt(row.dirPath)) : row.meta,
    vals: sent.vals?.val ? rules.merge(row.type!, row.vals, sent.vals.val, rightsAt(row.dirPath)) : row.vals,
  }
  if (name === undefined || name === row.name) return next
  checkNewName('name', name)
  const holder = holders.get(slotKey({ containerId: containerOf(row), nameKey: keyOf(name) }))
  if (holder && holder.id !== row.id)
    throw new Problem('exists', because('fileTaken', { path: `${row.dirPath}/${name}` }))
  const renamed = { ...next, name, path: `${row.dirPath}/${name}` }
  holders.delete(slotOf(row))
  holders.set(slotOf(renamed), renamed)
  return renamed
}

/** Files that must not be placed in a channel are refused as a whole, as all other refusals are. */
async function refusePlacements(ctx: Context, all: readonly PendingAsset[]): Promise<void> {
  const linksOf = ({ links }: PendingAsset) =>
    links.flatMap((request) => (request.kind === 'assetToProject' ? request.links : []))
  const refused = await refusedPlacements(ctx.db, all.flatMap(linksOf))
  for (const one of all) {
    const [refusal] = linksOf(one).flatMap((link) => refused.get(placementKey(link)) ?? [])
    if (refusal) one.refusal = refusal
  }
}

async function write(
  { ctx, keywords, usage }: Batch,
  targets: Targets,
  all: readonly PendingAsset[],
  outcomes: Outcome[],
): Promise<void> {
  const { userName } = ctx.caller
  const renamed = all.filter(({ before, row, refusal }) => !refusal && before.name !== row.name)
  const held = new Set(renamed.map(({ before }) => slotOf(before)))
  const exchanged = renamed.some(({ row }) => held.has(slotOf(row)))
  const rename = async (db: Context['db'], set: readonly PendingAsset[]) => {
    if (exchanged)
      await parkNames(
        db,
        set.map(({ row }) => row.id),
      )
    await writeLocations(
      db,
      set.map(({ row: { id, rncId, parentId, name } }) => ({ id, rncId, parentId, name })),
      userName,
    )
  }
  await writeEach(ctx.db, renamed, rename, (one, { code }) => {
    if (code !== '23505') throw new Error(`renaming failed with ${code}`)
    one.refusal = new Problem('exists', because('fileTaken', { path: one.row.path }))
  })
  const sound = all.filter(({ refusal }) => !refusal)
  for (const { refusal, items } of all) if (refusal) for (const item of items) outcomes[item] = refusal
  const restricted = sound.flatMap(({ row, terms }) => (terms === undefined ? [] : [{ id: row.id, terms }]))
  const usageChanges = await usage.write(ctx.db, restricted)
  const edited = sound.filter(
    ({ before, row }) => before.vals !== row.vals || before.meta !== row.meta || usageChanges.has(row.id),
  )
  if (edited.length > 0)
    await writeContents(
      ctx.db,
      edited.map(({ row }) => row),
      userName,
    )
  const keywordRequests = new Map(
    sound.flatMap(({ row, keywordRequests }) =>
      keywordRequests.length > 0 ? [[row.id, keywordRequests] as const] : [],
    ),
  )
  const posters = sound.filter(({ before, row }) => posterOf(before) !== posterOf(row)).map(({ row }) => row.id)
  if (posters.length > 0) await renewPreviews(ctx, posters)
  for (const { before, row } of sound) recordChange(ctx, before, row, usageChanges.get(row.id))
  await linkKeywords(ctx, targets, keywordRequests, keywords)
  await writeLinks(ctx, targets, new Map(sound.map(({ row, links }) => [row.id, links])))
}

/** Renditions are cropped around it. An empty value removes it. */
function checkFocalPoint(items: readonly { key?: string; value?: string }[] = []): void {
  const sent = items.find(({ key }) => key === 'focalPoint')?.value
  if (sent && !pointOf(sent))
    throw new Problem(
      'invalid',
      `meta focalPoint: expected two numbers from 0 to 1, such as 0.5,0.25 (from the left, from the top), found ${sent.slice(0, 50)}`,
    )
}

const posterOf = ({ meta }: EntryRow) => meta.find(({ key }) => key === 'posterTime')?.value ?? ''

/** Previews and renditions of a film show this second. An empty value removes it. */
function checkPosterTime({ type }: EntryRow, items: readonly { key?: string; value?: string }[] = []): void {
  const sent = items.find(({ key }) => key === 'posterTime')?.value
  if (sent && secondOf(sent) === undefined)
    throw new Problem('invalid', `meta posterTime: expected a second of the film such as 12.5, found ${sent.slice(0, 50)}`) // prettier-ignore
  if (sent && type !== 'VID') throw new Problem('invalid', 'meta posterTime: only films have one; remove it')
}

function recordChange(ctx: Context, before: EntryRow, row: EntryRow, usageRights: object | undefined): void {
  const changes = {
    ...(before.name !== row.name && { name: { from: before.name, to: row.name } }),
    ...(JSON.stringify(before.meta) !== JSON.stringify(row.meta) && { meta: { from: before.meta, to: row.meta } }),
    ...(usageRights && { usageRights }),
    ...valueChanges(before.vals, row.vals),
  }
  const fields = Object.keys(changes)
  const action = fields.length === 1 && fields[0] === 'name' ? 'rename' : 'update'
  if (fields.length > 0) ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action, changes })
}
