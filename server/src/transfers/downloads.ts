/**
 * Files that cells name by their address. They are downloaded before the rows that name them, and stored below the
 * directory of the profile at a path that follows from the address, so that the same address is the same asset next time.
 */
import { because } from '@kontor/contract'
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { checkDownload, type Download, download, DownloadFailed } from '../adapters/web/download.ts'
import { ForbiddenAddress } from '../adapters/web/post.ts'
import { inBatch } from '../core/batch/batch.ts'
import { settleItems } from '../core/batch/settle.ts'
import { Problem } from '../errors.ts'
import { applyProfile, isAddress, split } from './mapping.ts'
import { dirsOf, type TransferNeeds } from './needs.ts'
import type { Plan } from './plan.ts'
import type { SourceRow } from './read/source.ts'
import type { TransferRow } from './transfers.sql.ts'

/** The tids of assets by their name in cells, or why there is none; empty during a check. */
export type MediaStore = Map<string, string | Problem>

const atOnce = 4
const milliseconds = 60_000
const maxAddress = 2000
/** Names of types whose addresses often have no extension. */
const extensions: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp', 'image/gif': '.gif', 'image/svg+xml': '.svg', 'application/pdf': '.pdf' } // prettier-ignore

/**
 * A host that has not answered so often is not asked again by this import, which would otherwise wait for each of its
 * addresses and hold a job that others need.
 */
const mostSilent = 5
const silences = new WeakMap<MediaStore, Map<string, number>>()
const silencesOf = (media: MediaStore) => silences.get(media) ?? silences.set(media, new Map()).get(media)!

/** Throws a Problem if the address must not be called. */
export function demandAddress({ config }: TransferNeeds, address: string): URL {
  if (address.length > maxAddress) throw new Problem('invalid', `asset: an address is longer than ${maxAddress} characters`) // prettier-ignore
  try {
    return checkDownload(address, config.webhookPrivate)
  } catch (error) {
    throw error instanceof ForbiddenAddress ? refusal(address, error.message) : error
  }
}
const refusal = (address: string, reason: string) =>
  new Problem('invalid', because('noDownload', { address: address.slice(0, 200), cause: reason }))

/** Adds the assets of the addresses in these rows to `media`, or the reason why one cannot be downloaded. */
export async function downloadFiles(
  needs: TransferNeeds,
  { principal, options: { profile } }: TransferRow,
  plan: Plan,
  chunk: readonly SourceRow[],
  media: MediaStore,
): Promise<void> {
  const columns = plan.levels.flatMap(({ assets }) => assets)
  if (columns.length === 0) return
  const named = chunk.flatMap((row) => {
    const read = applyProfile(plan, row)
    return 'cells' in read ? columns.flatMap(({ index }) => split(read.cells[index] ?? '', plan.separator)) : []
  })
  const waiting = [...new Set(named)].filter((name) => isAddress(name) && !media.has(name))
  const wanted = waiting.flatMap((address) => {
    try {
      return [{ address, path: pathOf(demandAddress(needs, address), profile?.mediaPath) }]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      media.set(address, error)
      return []
    }
  })
  if (wanted.length === 0) return
  const folders = new Set(wanted.map(({ path }) => posix.dirname(path)))
  const items = [...folders].map((path) => ({ container: 'actions', item: { dataType: 'dir', type: 'createPath', path } })) // prettier-ignore
  const caller = await needs.callerNow(principal)
  await inBatch(needs, caller, (ctx) => settleItems(ctx, dirsOf(needs), 'perform', items, false))
  const next = wanted.values()
  const work = async () => {
    for (const { address, path } of next) media.set(address, await store(address, path))
  }
  const silent = silencesOf(media)
  const store = async (address: string, path: string): Promise<string | Problem> => {
    const { host } = new URL(address)
    if ((silent.get(host) ?? 0) >= mostSilent) return refusal(address, `${host} has not answered ${mostSilent} times`)
    const note = () => silent.set(host, (silent.get(host) ?? 0) + 1)
    let found: Download
    try {
      found = await download(address, { allowPrivate: needs.config.webhookPrivate, milliseconds })
    } catch (error) {
      // Not passed on: a refused connection to the host would look like one to the database, and be retried.
      if (!isAnswer(error)) note()
      return refusal(address, reasonOf(error))
    }
    const { type = '', bytes } = found
    try {
      const named = posix.extname(path) === '' ? path + (extensions[type] ?? '') : path
      return await needs.putFile(await needs.callerNow(principal), named, whole(bytes))
    } catch (error) {
      if (error instanceof Problem && error.kind !== 'unavailable') return refusal(address, error.message)
      if (!(error instanceof DownloadFailed)) throw error
      if (isSlow(error)) note()
      return refusal(address, error.message)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** A connection that breaks is a fault of the other side. */
async function* whole(bytes: AsyncIterable<Buffer>) {
  try {
    yield* bytes
  } catch (error) {
    throw new DownloadFailed(reasonOf(error), { cause: error })
  }
}

const isSlow = ({ cause }: { readonly cause?: unknown }) => cause instanceof Error && cause.name === 'TimeoutError'
const isAnswer = (error: unknown) => error instanceof ForbiddenAddress || error instanceof DownloadFailed

const reasonOf = (error: unknown) =>
  error instanceof Error && error.name === 'TimeoutError'
    ? 'it took too long'
    : isAnswer(error)
      ? error.message
      : `the host does not answer (${(error as { code?: string }).code ?? 'connection failed'})`

/** Addresses that differ only in their query are different files. */
function pathOf(url: URL, mediaPath = '/MAM/Import'): string {
  const home = mediaPath.replace(/(?<!\/)\/+$/, '')
  const parts = url.pathname.split('/').map(clean).filter((part) => part !== '') // prettier-ignore
  const { dir, name, ext } = posix.parse(`/${parts.join('/') || 'file'}`)
  const mark = url.search === '' ? '' : `-${hash('sha256', url.search).slice(0, 8)}`
  return `${home}/${clean(url.hostname)}${dir === '/' ? '' : dir}/${name.slice(0, 100)}${mark}${ext}`
}

function clean(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {
    // stays as it is
  }
  return text.replaceAll(/[\p{Cc}\p{Cf}<>:"\\|?*/]/gu, '_').replaceAll(/^[\s.]+|[\s.]+$/g, '')
}
