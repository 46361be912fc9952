/**
 * The rules of /dam/dirs.
 *
 * A directory is identified by its tid, id or path; paths start with the tid of a storage. persist creates directories
 * at the top of a storage (`rnc`) or in a directory (`parent`), and changes only fields that are sent; a different
 * parent moves the directory. Names are unique within a directory, across directories and assets, ignoring case.
 */
import type { dam, Directory, Infer } from '@kontor/contract'
import { toMeta } from '../../common/api.ts'
import type { Rights } from '../../core/access/permissions.ts'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { cleanName, cleanPath, pathAndAbove } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { loadRules, type Rules } from '../attribute-definitions/rules.ts'
import {
  addressOf,
  demand,
  demandDestination,
  type Destination,
  findNamed,
  flagOf,
  notFound,
  overwriteOf,
  rightsOf,
  visible,
} from '../entries.ts'
import { lockStorages } from '../entries.sql.ts'
import { newEntryName, sentEntryName, keyOf } from '../names.ts'
import { findLocations } from '../locations.ts'
import { prepareDeletions } from '../trash/deletion.ts'
import { copyTrees, type MakePreviews, type TreeCopy } from './dirs.copy.ts'
import { applyEdits, type Edit } from './dirs.edit.ts'
import * as rows from './dirs.sql.ts'

type DirValue = Infer<typeof Directory>
const pageSize = 1000

export function dirs(makePreviews: MakePreviews): Handlers<typeof dam.resources.dirs> {
  const copyAll = (ctx: Context, actions: readonly ActionValue[]) =>
    copyTrees(ctx, actions.map(orProblem(toCopy)), makePreviews)
  return {
    async retrieve(ctx, { rncTid, dirTid, dirPath, level = 1 }) {
      if (level === 0 || level < -1)
        throw new Problem(
          'invalid',
          `/directoryRequest/level: ${level} is not a level; expected -1 for all or 1 and more`,
        )
      const top = topOf(rncTid, dirTid, dirPath)
      const location = (await findLocations(ctx, [top], 'none'))(top)
      if (location instanceof Problem) throw location
      const rules = await loadRules(ctx.db)
      return {
        dirs: list(ctx, rules, { containerId: location.parentId ?? location.rncId, path: location.path }, level),
      }
    },

    persist: (ctx, objects) => applyEdits(ctx, objects.map(orProblem(toEdit))),

    perform: {
      delete: (ctx, actions) => monitored(ctx, deleteAll(ctx, actions)),
      move: (ctx, actions) => monitored(ctx, applyEdits(ctx, actions.map(orProblem(toMove)))),
      copy: (ctx, actions) => monitored(ctx, copyAll(ctx, actions)),
      createPath: (ctx, actions) => monitored(ctx, applyEdits(ctx, actions.map(orProblem(toPath)))),
    },
  }
}

function topOf(rncTid: string | undefined, dirTid: string | undefined, dirPath: string | undefined): Destination {
  const address = addressOf({ tid: dirTid, path: dirPath })
  if (address) return address
  if (rncTid !== undefined) return { rncTid }
  throw new Problem('invalid', '/directoryRequest: names nothing; send rncTid, dirTid or dirPath')
}

/** Page by page, one statement each, so that a tree of any size is streamed in constant memory. */
async function* list(ctx: Context, rules: Rules, top: rows.Top, level: number) {
  const rightsAt = rightsOf(ctx, 'dir')
  for (let after = ''; ;) {
    const page = await rows.listDirs(ctx.db, top, level, visible(ctx, 'dir'), after, pageSize)
    for (const row of page) yield toDirectory(row, rules, rightsAt(row.path))
    if (page.length < pageSize) return
    after = keyOf(page.at(-1)!.path)
  }
}

function toDirectory(row: rows.ListedDir, rules: Rules, rights: Rights): DirValue {
  const vals = rules.view(row.vals, rights)
  const facts = {
    id: String(row.id),
    path: row.path,
    creationDate: row.createdAt.toISOString(),
    creationUser: row.createdBy,
    modificationDate: row.modifiedAt.toISOString(),
    modificationUser: row.modifiedBy,
  }
  return {
    name: row.name,
    meta: toMeta(facts, row.meta, rights),
    ...(vals && { vals }),
    tid: row.tid,
    rnc: row.rnc,
    ...(row.parent !== null && { parent: row.parent }),
  }
}

function toEdit({ tid, rnc, parent, name, meta, vals }: DirValue): Edit {
  const destination = parent !== undefined ? { tid: parent } : rnc !== undefined ? { rncTid: rnc } : undefined
  return {
    action: 'persist',
    creates: true,
    ...(tid !== undefined && { target: { tid: cleanName('tid', tid) } }),
    ...(destination && { destination }),
    ...(name !== undefined && { name: sentEntryName('name', name) }),
    sent: { ...(meta && { meta }), ...(vals?.val && { vals: vals.val }) },
  }
}

function toMove(action: ActionValue): Edit {
  return {
    action: 'move',
    target: addressOf(action)!,
    destination: demandDestination(action),
    overwrite: overwriteOf(action),
    force: flagOf(action, 'force'),
  }
}

function toCopy(action: ActionValue): TreeCopy {
  const newName = metaOf(action).get('newName')
  return {
    target: addressOf(action)!,
    destination: demandDestination(action),
    ...(newName !== undefined && { name: newEntryName('meta newName', newName) }),
    overwrite: overwriteOf(action),
    force: flagOf(action, 'force'),
  }
}

function toPath({ path = '' }: ActionValue): Edit {
  const [rnc, ...names] = cleanPath(path).split('/').slice(1)
  if (rnc === undefined || names.length === 0)
    throw new Problem('invalid', 'path: names no directory; expected a storage and directories such as /MAM/boats')
  const segments = names.map((name) => sentEntryName('path', name))
  return { action: 'createPath', destination: { path: `/${rnc}` }, segments }
}

/** Every record carries an id under which clients can follow the job. */
async function monitored(ctx: Context, work: Promise<Outcome[]>): Promise<Outcome[]> {
  const outcomes = await work
  const ids = await newIds(ctx.db, outcomes.length)
  return outcomes.map((outcome, i) =>
    outcome instanceof Problem ? outcome : { ...outcome, details: { ...outcome.details, monitorId: String(ids[i]) } },
  )
}

/** Moves whole trees to the trash. An entry in use is not deleted, unless `force` asks to remove its links. */
async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const forces = actions.map(orProblem((action) => flagOf(action, 'force')))
  const addresses = actions.map((action) => addressOf(action)!)
  const before = await findNamed(ctx, 'dir', addresses)
  await lockStorages(
    ctx.db,
    addresses.flatMap((address) => before(address)?.rncId ?? []),
  )
  const find = await findNamed(ctx, 'dir', addresses, 'update')
  const found = addresses.map((address) => find(address))
  const deletions = await prepareDeletions(
    ctx,
    found.filter((row) => row !== undefined),
  )
  const gone = new Map<string, number>()
  const forced: number[] = []
  const outcomes = addresses.map((address, i): Outcome => {
    const row = found[i]
    const force = forces[i]!
    if (force instanceof Problem) return force
    if (!row || [...pathAndAbove(row.path)].some((path) => gone.has(path))) return notFound('directory', address)
    return orProblem((): Outcome => {
      demand(ctx, 'delete', 'dir', row.path)
      const refusal = deletions.refusal(row.id, force)
      if (refusal) throw refusal
      gone.set(row.path, row.id)
      if (force) forced.push(row.id)
      return { action: 'delete', id: row.id, tid: row.tid, path: row.path }
    })(undefined)
  })
  await deletions.run([...gone.values()], forced)
  return outcomes
}
