/** Functions of the DAM that other areas may call. */
import { sql, type Sql } from '../adapters/postgres/sql.ts'
import { within } from '../core/access/permissions.ts'
import type { Context } from '../core/context.ts'
import { dirPath } from './entries.sql.ts'
import { visible } from './entries.ts'

export {
  checkZip,
  demandNoMetadata,
  findOutgoing,
  readFile,
  sanitize,
  sendFile,
  sendZip,
} from './assets/bin/download/download.ts'
export { setFileHeaders } from './assets/bin/download/headers.ts'
export { findLocation, storeAsset } from './assets/bin/uploads/uploads.ts'
export { findEntries, findHolders, inPlace } from './entries.sql.ts'
export { demand, visible } from './entries.ts'
export { fileTypeOf } from './file-types.ts'
export { type FileRow, findFiles, findPreviews, withoutFolder } from './files.sql.ts'
export type { FileNeeds } from './files.routes.ts'
export type { FileServices } from './files.ts'
export { isMedia } from './found/analysis.sql.ts'
export { keyOf, newEntryName } from './names.ts'
export { describeRendition, loadFilesOf, type Metadata } from './metadata/outgoing.ts'
export { demandPlaying, isPlayable } from './renditions/media/media.ts'
export { createMissing } from './assets/bin/download/missing.ts'
export { sendRenditions, uniqueNames } from './renditions/many.ts'
export { demandProfile, recipeFor } from './renditions/profiles.ts'
export { nameOf } from './renditions/urls.ts'
export { commitWithBlobs } from './storage/storing.ts'
export { demandUsable, refusalOf } from './usage/usage.ts'

/** The path of an asset `e` in place. */
export const pathOf = sql`${dirPath} || '/' || e.name`

/** The assets that the caller may read and share with people outside. */
export const sharable = (ctx: Context): Sql =>
  sql`${visible(ctx, 'asset')} and ${within(ctx.caller.permissions, 'share', 'asset', dirPath)}`
