/** The functions that transfers use of other areas; areas.ts passes them, so that transfers import no area. */
import type { ExportRequest, Infer } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import type { Sql } from '../adapters/postgres/sql.ts'
import type { Caller, Context, Services } from '../core/context.ts'
import type { Mounted } from '../core/batch/handlers.ts'
import type { OutboxRow } from '../core/outbox/outbox.ts'
import type { Contents } from '../core/http/reply.ts'
import type { ScoreNeeds } from './scores.ts'

/** An asset and its file. */
export interface LinkedFile {
  readonly tid: string
  readonly path: string
  /** Of its content. */
  readonly sha256: string
  /** Why the file must not be used. */
  readonly refusal?: string
  /** The end of its usage rights, in seconds since 1970; Infinity without one. */
  readonly until: number
  open(): Promise<AsyncIterable<Buffer>>
}

/** Pictures by a rendition profile: in place of the files, or as public addresses in place of paths. */
export interface Pictures {
  readonly profile: string
  readonly asAddresses: boolean
  readonly purpose: Purpose
}

/** The use that an export is made for. Files that are not cleared for it are refused. */
type PurposeKey = 'channelTid' | 'medium' | 'territory'
export type Purpose = { readonly [K in PurposeKey]?: Infer<typeof ExportRequest>[K] | undefined }

/** Products of a page. */
export type ProductNames = { readonly tids: string[] } | { readonly ids: number[] }

/** A value that a product (0), article (1) or variation (2) has itself; `locale` is empty if it has none. */
export interface UsedValue {
  readonly level: 0 | 1 | 2
  readonly key: string
  readonly locale: string
}

export type RetrieveDefinitions = TransferNeeds['retrieveDefinitions']

export interface TransferNeeds extends Services, ScoreNeeds {
  /** Every resource by its path; complete when all areas are mounted. */
  resources(): ReadonlyMap<string, Mounted>
  /** The products with these names that the caller may read. Throws a Problem when none exists. */
  retrieveProducts(ctx: Context, names: ProductNames): Promise<Contents>
  /**
   * The values that the products have, apart from those with the keys in `done` by level, and the ids of the products with links.
   * Undefined for a caller who may not see all values: then the products must be read.
   */
  usedValues(
    ctx: Context,
    names: ProductNames,
    done: readonly (readonly string[])[],
  ): Promise<{ readonly values: readonly UsedValue[]; readonly linked: number[] } | undefined>
  /** All attribute definitions of products that the caller may read. Throws a Problem when none exists. */
  retrieveDefinitions(ctx: Context): Promise<Contents>
  /** All groups of attributes, with those of their attributes that the caller may see. */
  retrieveGroups(ctx: Context): Promise<Contents>
  /** All classifications and nodes that the caller may read. Throws a Problem when none exists. */
  retrieveClasses(ctx: Context): Promise<Contents>
  /** Stores a file of a zip as an asset and returns its tid. */
  putFile(caller: Caller, path: string, bytes: AsyncIterable<Buffer>): Promise<string>
  /** Assets by tid or path that the caller may read. */
  findFiles(
    ctx: Context,
    names: { tids?: readonly string[]; paths?: readonly string[] },
    purpose?: Purpose,
  ): Promise<LinkedFile[]>
  /** The same with pictures as renditions. Throws a Problem when the profile does not exist. */
  findPictures(ctx: Context, names: { tids: readonly string[] }, pictures: Pictures): Promise<LinkedFile[]>
  /** The products that the caller may read, as a relation of id and tid for a statement. */
  selectProducts(ctx: Context, query: { nodePaths?: string[] }): Promise<Sql>
  /** Finds the path of a category by path, tid or names; throws a Problem if several fit. Only those that the caller may see. */
  findCategory(ctx: Context): Promise<(text: string) => string | undefined>
  /** The products that may look different after these changes; `linked`: also every product with links. */
  affectedProducts(
    db: Db,
    changes: readonly OutboxRow[],
  ): Promise<{ readonly tids: readonly string[] | 'all'; readonly linked: boolean }>
  /** Whether the time has come at which some file may be used, or may not any more, since then. */
  hasUsageTurned(db: Db, since: Date): Promise<boolean>
  /** The ids of the products that are or contain these objects. */
  productsWith(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** The tids of the products that a stored search of the caller finds now, page by page; some may occur twice. */
  findStored(ctx: Context, id: string): AsyncIterable<readonly string[]>
  /** Locks products by tid, as every writer does. */
  lockProducts(ctx: Pick<Context, 'db'>, tids: readonly string[]): Promise<unknown>
  /** The stale texts of products in a locale, each as the tids from the product to the object and the attribute, in lines. */
  staleTexts(ctx: Pick<Context, 'db'>, tids: readonly string[], locale: string): Promise<ReadonlySet<string>>
  /** Removes the marks of stale texts that the caller may change. */
  confirmTexts(
    ctx: Context,
    texts: readonly { readonly product: string; readonly below: readonly string[]; readonly attribute: string; readonly locale: string }[], // prettier-ignore
  ): Promise<void>
  /** The locale that texts are translated from. */
  sourceLocale(ctx: Pick<Context, 'db'>): Promise<string>
  /** The tids of at most `count` products with some of these words in a locale, best first. Only those that the caller may read. */
  findWords(ctx: Context, words: readonly string[], locale: string, count: number): Promise<readonly string[]>
  /** The locales of content, in their order. */
  contentLocales(ctx: Context): Promise<string[]>
  /** Whether an error is temporary: the database is unavailable. */
  isPassing(error: unknown): boolean
  /** Logs the error and returns its support id. */
  fail(error: unknown): string
}

/** Needed to show the parts of a profile that a caller may see. */
export type ProfileNeeds = Services & Pick<TransferNeeds, 'findCategory'>

export const demandResource = ({ resources }: TransferNeeds, path: string): Mounted => {
  const found = resources().get(path)
  if (!found) throw new Error(`no resource is mounted at ${path}`)
  return found
}
export const productsOf = (needs: TransferNeeds) => demandResource(needs, '/api/core/v1/pim/products')
export const dirsOf = (needs: TransferNeeds) => demandResource(needs, '/api/core/v1/dam/dirs')

/** A reading context outside of a request. */
export function readerOf({ database, config }: Services, caller: Caller): Context {
  const refuse = () => {
    throw new Error('a reading call must not change anything')
  }
  return { db: database, caller, config, record: refuse, audit: refuse, deletionBlockers: refuse }
}
