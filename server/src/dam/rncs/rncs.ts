/** Root node configurations (RNCs): the storages that paths start with, and their settings. */
import { type Infer, type Pim, type Rnc, schemaVersion } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { toMeta } from '../../common/api.ts'
import { inBatch, orProblem, type Outcome, toRecord } from '../../core/batch/batch.ts'
import { wrongContainer } from '../../core/batch/settle.ts'
import { pathsFor } from '../../core/access/permissions.ts'
import type { Caller, Context } from '../../core/context.ts'
import { checkNewName, isWithin, sentName } from '../../core/batch/names.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { Call } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { sentEntryName } from '../names.ts'
import { defaultFullsize, defaultResolution } from '../assets/previews/previews.ts'
import * as rows from './rncs.sql.ts'

type RncValue = Infer<typeof Rnc>

/** The settings with their defaults and allowed values. */
// prettier-ignore
const settings: ReadonlyMap<string, { readonly default: string; readonly allowed: RegExp; readonly expected: string }> = new Map([
  ['rncDisablePreviewGeneration', { default: 'false', allowed: /^(true|false)$/, expected: 'true or false' }],
  ['rncOriginalMaxSize',          { default: defaultFullsize, allowed: /^[1-9]\d{1,3}x[1-9]\d{1,3}$/, expected: 'a size like 1280x1024, at most 3840x2160' }],
  ['rncOriginalResolution',       { default: defaultResolution, allowed: /^(7[2-9]|[89]\d|[12]\d\d|300)$/, expected: 'a number from 72 to 300' }],
  ['rncUseResolution',            { default: 'false', allowed: /^(true|false)$/, expected: 'true or false' }],
  ['rncPdfFirstPagePreviewOnly',  { default: 'true', allowed: /^(true|false)$/, expected: 'true or false' }],
])

/** POST /rncs/retrieve */
export async function retrieveRncs(ctx: Context) {
  const rnc = (await rows.listRncs(ctx.db)).filter(hasReadable(ctx.caller)).map(toRnc)
  if (rnc.length === 0)
    throw new Problem('notFound', 'there is no storage; an administrator can add one with /rncs/persist')
  return { schemaVersion, meta: replyMeta(ctx.config, { itemInformationType: 'rnc' }), rncs: { rnc } }
}

/** A storage is visible to those who may read something in it. */
function hasReadable({ permissions }: Caller): (row: rows.RncRow) => boolean {
  const tops = (['dir', 'asset'] as const).map((kind) => pathsFor(permissions, 'read', kind))
  return ({ tid }) => tops.some((paths) => paths === 'all' || paths.some((path) => isWithin(path, `/${tid}`)))
}

function toRnc(row: rows.RncRow): RncValue {
  const facts = {
    rncIdentifier: row.tid,
    rncIdentity: String(row.id),
    rncCreationDate: row.createdAt.toISOString(),
    rncModificationDate: row.modifiedAt.toISOString(),
    rncLocalPathAsString: `/${row.tid}`,
    rncEventBasePath: `/${row.tid}`,
    ...Object.fromEntries([...settings].map(([key, setting]) => [key, row.settings[key] ?? setting.default])),
  }
  return { name: row.name, meta: toMeta(facts), tid: row.tid }
}

/** POST /rncs/persist, for administrators. An unknown tid creates a storage. */
export async function persistRncs({ config }: Context, { body, caller, services }: Call<Infer<typeof Pim>>) {
  const other = Object.keys(body).find((name) => !['schemaVersion', 'meta', 'rncs'].includes(name))
  if (other !== undefined) throw wrongContainer(other, ['rncs'])
  const items = (body.rncs?.rnc ?? []) as RncValue[]
  if (items.length === 0) throw new Problem('invalid', '/pim/rncs: nothing to do; send at least one item')
  const outcomes = await inBatch(services, caller, async (ctx) => {
    const settled: Outcome[] = []
    for (const edit of items.map(orProblem(toEdit)))
      settled.push(edit instanceof Problem ? edit : await apply(ctx, edit))
    return settled
  })
  const response = outcomes.map((outcome, i) => toRecord('rnc', 'persist', items[i]!, outcome))
  return { schemaVersion, meta: replyMeta(config), responses: { response } }
}

/** Creates a storage if it does not exist, for the command line. Returns its tid. */
export async function addRnc(db: Db, tid: string | undefined, name: string | undefined): Promise<string> {
  const edit = toEdit({ ...(tid !== undefined && { tid }), ...(name !== undefined && { name }) })
  await rows.upsertRnc(db, edit.tid, edit.name, {}, 'kontor command')
  return edit.tid
}

interface Edit {
  readonly tid: string
  readonly name: string | undefined
  readonly settings: Readonly<Record<string, string>>
}

function toEdit({ tid, name, meta }: RncValue): Edit {
  const sent = (meta?.itm ?? []).flatMap(({ key = '', value = '' }) => {
    const setting = settings.get(key)
    if (!setting) return []
    if (!setting.allowed.test(value))
      throw new Problem('invalid', `meta ${key}: expected ${setting.expected}, found ${value}`)
    return [[key, value]]
  })
  return {
    tid: sentEntryName('tid', tid ?? name),
    name: name === undefined ? undefined : sentName('name', name),
    settings: Object.fromEntries(sent) as Record<string, string>,
  }
}

async function apply(ctx: Context, { tid, name, settings }: Edit): Promise<Outcome> {
  const same = (await rows.listRncs(ctx.db)).find((row) => row.tid.toLowerCase() === tid.toLowerCase())
  if (same && same.tid !== tid) return new Problem('exists', `a storage with the tid ${same.tid} exists already`)
  if (!same) checkNewName('tid', tid)
  if (name !== undefined && name !== same?.name) checkNewName('name', name)
  const { id, isNew } = (await rows.upsertRnc(ctx.db, tid, name, settings, ctx.caller.userName))!
  ctx.record({
    dataType: 'rnc',
    id,
    event: isNew ? 'CREATE' : 'UPDATE',
    changes: { ...(name && { name }), ...settings },
  })
  return { action: isNew ? 'create' : 'update', id, tid }
}
