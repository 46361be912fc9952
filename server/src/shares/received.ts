/**
 * Files that outsiders delivered. They are no assets: nothing finds, exports or serves them until somebody accepts them. They
 * are sent as attachments only, and their previews are drawn by the sandboxed processes.
 */
import type { Infer, ReceivedDecision, ReceivedOutcome } from '@kontor/contract'
import { because, maxShared } from '@kontor/contract'
import { posix } from 'node:path'
import type { Staged } from '../adapters/blobs/blobs.ts'
import { TooLong } from '../adapters/blobs/writing.ts'
import { notify } from '../common/api.ts'
import { inBatch } from '../core/batch/batch.ts'
import { newIds } from '../core/batch/ids.sql.ts'
import type { Caller, Context } from '../core/context.ts'
import type { StreamCall } from '../core/http/streaming.ts'
import { commitWithBlobs, fileTypeOf, findHolders, findLocation, keyOf, newEntryName, sendFile, storeAsset } from '../dam/api.ts' // prettier-ignore
import { Problem } from '../errors.ts'
import { demandShare, type ShareNeeds } from './needs.ts'
import * as rows from './shares.sql.ts'

type Outcome = Infer<typeof ReceivedOutcome>

/** Stores a delivered file in quarantine. `network` is where it comes from. */
export async function receive(
  needs: ShareNeeds,
  share: rows.ShareRow,
  network: string,
  sentName: string,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  const { extensions = [], maxFiles = 100, maxMegabytes = 100 } = share.settings
  const name = newEntryName('the file name', sentName)
  if (extensions.length > 0 && !extensions.includes(posix.extname(name).slice(1).toLowerCase()))
    throw new Problem('invalid', `files must end with ${extensions.join(', ')}`)
  if (share.received >= maxFiles) throw full()
  const max = Math.min(maxMegabytes * 1_000_000, needs.config.maxUpload)
  const staged = await needs.blobs.stage(bytes, max).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', because('fileTooLarge', { max }), { cause: error })
  })
  try {
    await commitWithBlobs(needs.blobs, [staged], (registerBlobs) =>
      needs.database.transaction(async (db) => {
        await registerBlobs(db)
        await keep(db, share, network, name, staged)
      }),
    )
  } finally {
    await staged.drop()
  }
}

const full = () => new Problem('exists', 'the request takes no more files')

async function keep(db: Context['db'], share: rows.ShareRow, network: string, name: string, staged: Staged) {
  const [id] = await newIds(db, 1)
  const { mime } = fileTypeOf(name, staged.head)
  const file = { id: id!, name, sha256: staged.sha256, size: staged.size, mime }
  if (!(await rows.insertFile(db, share.id, file))) return
  // also sees that the page was revoked or expired while the file arrived
  if (!(await rows.countReceived(db, share.id, share.settings.maxFiles ?? 100))) throw full()
  await rows.insertVisit(db, share.id, { event: 'delivery', what: name, address: network })
  if (!(await rows.claimNotice(db, share.id))) return
  await notify(db, {
    tid: `share-file-${id}`,
    recipientUser: share.userName,
    subject: `Files delivered: ${share.title}`,
    body: 'Files were delivered to your upload request. They wait until you accept or reject them.',
    severity: 'INFO',
    parameters: { shareId: String(share.id) },
  })
}

/** Each file is one transaction, so that a refused one does not hold up the others. */
export async function decideReceived(
  needs: ShareNeeds,
  caller: Caller,
  share: rows.ShareRow,
  { accept = [], reject = [] }: Infer<typeof ReceivedDecision>,
) {
  if (accept.length + reject.length > maxShared)
    throw new Problem('invalid', `/receivedDecision: at most ${maxShared} files at once`)
  const outcomes: Outcome[] = []
  for (const [id, isAccepted] of [
    ...accept.map((id) => [id, true] as const),
    ...reject.map((id) => [id, false] as const),
  ])
    outcomes.push(await decide(needs, caller, share, id, isAccepted).catch(refusedAs(id)))
  return { outcomes }
}

const refusedAs =
  (id: number) =>
  (error: unknown): Outcome => {
    if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
    return { id, outcome: 'refused', problem: error.message }
  }

const decide = (needs: ShareNeeds, caller: Caller, share: rows.ShareRow, id: number, isAccepted: boolean) =>
  inBatch(needs, caller, async (ctx): Promise<Outcome> => {
    const file = await rows.lockFile(ctx.db, share.id, id)
    if (!file) throw new Problem('notFound', `no delivered file has the id ${id}; somebody may have decided about it`)
    const done = isAccepted ? await accept(needs, ctx, share, file) : undefined
    await rows.deleteFile(ctx.db, file.id)
    const action = isAccepted ? 'accept' : 'reject'
    ctx.record({ dataType: 'share', id: share.id, event: 'UPDATE', action })
    ctx.audit({ action: `share.${action}`, object: `share ${share.id}`, detail: { file: file.name, ...(done && { path: done.path }) } }) // prettier-ignore
    return { id, outcome: isAccepted ? 'accepted' : 'rejected', ...(done && { tid: done.tid!, path: done.path! }) }
  })

/** The file becomes an asset with the rights of the one who accepts it. */
async function accept({ blobs }: ShareNeeds, ctx: Context, { settings }: rows.ShareRow, file: rows.FileRow) {
  const dir = settings.folder!
  const name = await freeName(ctx, dir, file.name)
  let head = Buffer.alloc(0)
  await blobs.demand(file.sha256, file.name, ctx.db)
  for await (const piece of (await blobs.raw.open(file.sha256)) as AsyncIterable<Buffer>) {
    head = Buffer.from(piece)
    break
  }
  return storeAsset(ctx, { dir, name, tid: undefined, overwrite: false }, { ...file, head }, false)
}

const mostNumbers = 1000

/** Adds a number to a name that is taken. */
async function freeName(ctx: Context, dir: string, name: string): Promise<string> {
  const { parentId, rncId } = await findLocation(ctx, { dir })
  const containerId = parentId ?? rncId
  const extension = posix.extname(name)
  const base = posix.basename(name, extension)
  const names = Array.from({ length: mostNumbers }, (_, i) => (i === 0 ? name : `${base}-${i + 1}${extension}`))
  const taken = new Set(
    (await findHolders(ctx.db, names.map((one) => ({ containerId, nameKey: keyOf(one) })))).map((row) => keyOf(row.name)), // prettier-ignore
  )
  const free = names.find((one) => !taken.has(keyOf(one)))
  if (free === undefined) throw new Problem('fileExists', `${mostNumbers} files named like ${name} exist in ${dir}`)
  return free
}

async function demandFile(call: StreamCall) {
  const { db, caller } = call.context()
  const share = await demandShare(db, caller, call.params.id)
  const { file: id = '' } = call.params
  const file = /^\d{1,15}$/.test(id) ? await rows.findFile(db, share.id, Number(id)) : undefined
  if (!file) throw new Problem('notFound', `no delivered file has the id ${id.slice(0, 40)}`)
  return { ...file, modifiedAt: file.receivedAt }
}

const previewRecipe = { width: 480, height: 480, fit: 'inside', format: 'jpeg' } as const

export const previewReceived = (needs: ShareNeeds) => async (call: StreamCall) => {
  const file = await demandFile(call)
  const drawn = await needs.renditions(file, previewRecipe, `user ${call.caller().userId}`).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
    throw new Problem('notFound', 'there is no picture of this file', { cause: error })
  })
  return sendFile(needs, call, { ...drawn, name: 'preview.jpg', modifiedAt: file.modifiedAt })
}

export const downloadReceived = (needs: ShareNeeds) => async (call: StreamCall) =>
  sendFile(needs, call, { ...(await demandFile(call)), isAttachment: true })
