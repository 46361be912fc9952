/**
 * Pages of a query: `count` and `after` of the URL, `Kontor-Next` of the reply. A position is the id of the last object of
 * a page. Ids are never used again and never change, so lists in the order of ids are read without gaps and repeats.
 */
import { because } from '@kontor/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Paging } from '../context.ts'
import type { StreamedTids } from './handlers.ts'

const defaultCount = 1000
/** Rows that are read at once for a caller who wants everything. */
const portion = 10_000

/** Undefined for a caller who wants everything at once. */
export function pagingOf({ query }: FastifyRequest, reply: FastifyReply): Paging | undefined {
  const { count, after } = query as { count?: string; after?: string }
  if (count === undefined && after === undefined) return undefined
  return {
    after: Number(after ?? 0),
    count: Number(count ?? defaultCount),
    continues: (last) => void reply.header('kontor-next', String(last)),
  }
}

interface Pages<Id> {
  readonly count: number
  continues(last: Id): void
}

/** The rows of the page, of which one more was read to see whether there are others. */
export function cut<R extends { readonly id: Id }, Id extends string | number>(
  paging: Pages<Id> | undefined,
  rows: readonly R[],
): readonly R[] {
  if (!paging || rows.length <= paging.count) return rows
  const page = rows.slice(0, paging.count)
  const last = page.at(-1)
  if (last) paging.continues(last.id) // a page of 0 has no position
  return page
}

interface Named {
  readonly name: string
}
/** The same for a list in the order of names. A header has no letters beyond ASCII, so its positions are encoded. */
export function cutByName<R extends Named>({ count, continues }: Pages<string>, rows: readonly R[]): readonly R[] {
  if (rows.length <= count) return rows
  const page = rows.slice(0, count)
  continues(positionOf(page.at(-1)!.name))
  return page
}
const positionOf = (name: string) => Buffer.from(name).toString('base64url')

/** The last name of the previous page, which need not exist any more; empty for the first page. */
export function nameAt(after = ''): string {
  const name = Buffer.from(after, 'base64url').toString()
  if (positionOf(name) === after && !name.includes('\0')) return name
  throw new Problem('invalid', 'after: not a position of this list; send the header Kontor-Next of the previous page')
}

const goneFrom = (after: string | number) => new Problem('gone', because('listChanged', { after }))

/** The last row of the previous page has to exist, because the next page begins behind it. */
export async function demandLast(after: string | undefined, find: (id: string) => Promise<unknown>): Promise<void> {
  if (after === undefined) return
  try {
    await find(after)
  } catch (error) {
    throw error instanceof Problem && error.kind === 'notFound' ? goneFrom(after.slice(0, 100)) : error
  }
}

type Read = (paging: Paging) => Promise<readonly { readonly id: number; readonly tid: string }[]>

/** The tids of a page, or of all rows; `read` may return one row more than the page has. */
export async function tidsOf(paging: Paging | undefined, read: Read): Promise<{ tids: string[] } | StreamedTids> {
  if (!paging) return { tids: allTids(read) }
  return { tids: cut(paging, await read(paging)).map(({ tid }) => tid) }
}

/** In portions that are read while the reply is sent. */
async function* allTids(read: Read): AsyncGenerator<readonly string[], void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    let next: number | undefined
    const paging = { after, count: portion, continues: (last: number) => void (next = last) }
    const page = cut(paging, await read(paging))
    yield page.map(({ tid }) => tid)
    after = next
  }
}

/** A page of a list that has an order of its own. */
export function pageOf<R extends { readonly id: number }>(paging: Paging | undefined, all: readonly R[]): readonly R[] {
  if (!paging) return all
  const at = paging.after === 0 ? 0 : all.findIndex(({ id }) => id === paging.after) + 1
  if (at === 0 && paging.after !== 0) throw goneFrom(paging.after)
  return cut(paging, all.slice(at))
}
