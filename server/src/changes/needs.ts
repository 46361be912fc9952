/** The functions that changes use of other areas; areas.ts passes them, so that changes import no area. */
import type { Infer, Search } from '@kontor/contract'
import type { Sql } from '../adapters/postgres/sql.ts'
import type { Targets } from '../common/api.ts'
import type { Mounted } from '../core/batch/handlers.ts'
import type { Caller, Context, Services } from '../core/context.ts'
import { Problem } from '../errors.ts'

export type Kind = 'product' | 'asset'

export type MatchBy =
  { readonly by: 'tid' | 'name' | 'article' } | { readonly by: 'attribute'; readonly attribute: string }
export interface FoundProduct {
  readonly tid: string
  readonly name: string
}
interface NameInFolder {
  readonly folder: string
  readonly name: string
}

export interface ChangeNeeds extends Services {
  /** Every resource by its path; complete when all areas are mounted. */
  resources(): ReadonlyMap<string, Mounted>
  readonly targets: Targets
  /** Locks objects by tid until the transaction ends, as their persist does. */
  readonly lock: Readonly<Record<Kind, (ctx: Context, tids: readonly string[]) => Promise<unknown>>>
  /** The products that the caller may read, as a relation of id and tid for a statement. */
  selectProducts(ctx: Context, query: { nodePaths?: string[] }): Promise<Sql>
  /** The assets below folders that the caller may read, in the order of their paths; otherwise as selectProducts. */
  selectAssets(ctx: Context, paths: readonly string[]): Promise<Sql>
  /** The tids of the assets of a collection that the caller may read. */
  collectionAssets(ctx: Context, id: number): Promise<readonly string[]>
  /** The entries of folders that have these names, or whose names begin so; both in lower case. */
  findNames(ctx: Context, slots: readonly NameInFolder[], isPrefix: boolean): Promise<readonly NameInFolder[]>
  /** The products that the caller may read, by the texts that name them. */
  matchProducts(
    ctx: Context,
    by: MatchBy,
    keys: readonly string[],
  ): Promise<readonly (FoundProduct & { key: string })[]>
  /** Products that the caller may read and that are named similarly. */
  nearestProducts(ctx: Context, by: MatchBy, keys: readonly string[]): Promise<ReadonlyMap<string, FoundProduct[]>>
  /** The tids of the objects that a search, or a stored search of the caller, finds now; some may occur twice. */
  find(ctx: Context, kind: Kind, search: Infer<typeof Search> | string): AsyncIterable<readonly string[]>
  /** Whether an error is temporary: the database is unavailable. */
  isPassing(error: unknown): boolean
  /** Logs the error and returns its support id. */
  fail(error: unknown): string
}

const core = '/api/core/v1'
const paths = {
  product: `${core}/pim/products`,
  asset: `${core}/dam/assets`,
  productDefinitions: `${core}/pim/attribute-definitions`,
  assetDefinitions: `${core}/dam/attribute-definitions`,
  links: `${core}/common/links`,
  linkActions: `${core}/common/links/actions`,
}

export function resourceOf(needs: ChangeNeeds, name: keyof typeof paths): Mounted {
  const found = needs.resources().get(paths[name])
  if (!found) throw new Error(`no resource is mounted at ${paths[name]}`)
  return found
}

/** The objects that a retrieve finds for the caller; none if it finds nothing. */
export async function retrieveAll<T>(ctx: Context, { resource, handlers }: Mounted, request: object): Promise<T[]> {
  const found: T[] = []
  try {
    const { [resource.container]: items } = await handlers.retrieve!(ctx, request)
    for await (const item of items as AsyncIterable<T>) found.push(item)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'notFound') throw error
  }
  return found
}

/** A reading context outside of a request. */
export function readerOf({ database, config }: ChangeNeeds, caller: Caller): Context {
  const refuse = () => {
    throw new Error('a reading call must not change anything')
  }
  return { db: database, caller, config, record: refuse, audit: refuse, deletionBlockers: refuse }
}
