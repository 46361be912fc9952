/**
 * The import of a file after its upload: previews, dimensions and embedded metadata, made in separate processes.
 *
 *   pending -> running -> available, or incomplete if a step failed; the file itself is available all the time
 *
 * Previews are stored like other files and become visible with the new status in one transaction, unless the asset has
 * got another file meanwhile. The thumbnail of a photo is ready first and does not wait for the others.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs, Staged } from '../../../adapters/blobs/blobs.ts'
import type { Services } from '../../../core/batch/batch.ts'
import type { Db } from '../../../adapters/postgres/db.ts'
import type { Change } from '../../../core/context.ts'
import { writeChanges } from '../../../core/outbox/history.sql.ts'
import { valueChanges } from '../../../values/api.ts'
import { commitWithBlobs } from '../../storage/storing.ts'
import { mapEmbedded } from './mapping.ts'
import type { Recipe } from '../../renditions/recipe.ts'
import type { Box, Drawn, Made, MadePreview } from './message.ts'
import { createPool } from './pool.ts'
import * as rows from './previews.sql.ts'
import { findSandbox, type Sandbox } from './sandbox.ts'
import { findTools } from './tools.ts'

export interface Previews {
  /** Makes the missing previews of an asset. It never rejects; the import status shows the result. */
  make(assetId: number): Promise<void>
  /** Draws a picture of a file and passes it on, before it is removed. */
  draw<T>(source: DrawnFrom, recipe: Recipe, take: (drawn: Drawn) => Promise<T>): Promise<T>
  close(): void
}
export type DrawnFrom = Pick<rows.Source, 'sha256' | 'mime' | 'name'>
type Log = (error: Error, assetId: number) => void

/** Sizes in pixels. The storage settings define the full size, up to a maximum. */
const thumbnail: Box = { width: 160, height: 160 }
const preview: Box = { width: 640, height: 640 }
const largest: Box = { width: 3840, height: 2160 }
export const defaultFullsize = '1280x1024'
export const defaultResolution = '72'
/** The maximum if all pages of a document are rendered. */
const maxPages = 50

export function createPreviews(
  { database, config, blobs }: Pick<Services, 'database' | 'config'> & { readonly blobs: Blobs },
  log: Log,
  /** Called once with the level at which external programs are separated from the server, if there are any. */
  isolated: (level: Sandbox['level']) => void,
): Previews {
  const tools = findTools(config.tools)
  const hasTools = Object.keys(tools).length > 0
  const sandbox = hasTools ? findSandbox(config.data) : Promise.resolve<Sandbox>({ level: 'none' })
  const pool = createPool({
    size: config.previewWorkers,
    seconds: config.previewSeconds,
    memoryMiB: config.previewMemory,
    tools,
    sandbox,
  })
  if (hasTools) void sandbox.then(({ level }) => isolated(level))

  const makeFor = async (source: rows.Source, folder: string): Promise<void> => {
    const { mime, name, sha256, settings } = source
    const order = { mime, name, folder, ...settingsOf(settings), maxPixels: config.previewPixels }
    let first: Promise<void> | undefined
    const onThumbnail = (thumbnail: MadePreview) => {
      first = storeThumbnail(database, blobs, source, thumbnail).catch((error: Error) => log(error, source.id))
    }
    const made = await blobs.withFile(sha256, (file) => pool.run({ ...order, file }, onThumbnail))
    await first
    if (made.problem) log(new Error(made.problem), source.id)
    await store(database, blobs, source, made)
  }

  return {
    async make(assetId) {
      const source = await rows.startImport(database, assetId)
      if (!source) return
      if (source.settings['rncDisablePreviewGeneration'] === 'true') {
        return endWithout(database, source, 'available')
      }
      const folder = await mkdtemp(join(tmpdir(), 'kontor-previews-'))
      try {
        await makeFor(source, folder)
      } catch (error) {
        log(error as Error, assetId)
        await endWithout(database, source, 'incomplete')
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async draw({ sha256, mime, name }, recipe, take) {
      const { icc, watermark, width = largest.width, height = largest.height } = recipe
      const side = Math.max(width, height)
      const box = { width: side, height: side }
      const boxes = { thumbnail: box, preview: box, fullsize: box }
      const folder = await mkdtemp(join(tmpdir(), 'kontor-rendition-'))
      try {
        return await withFiles(blobs, [sha256, icc, watermark?.sha256], async ([file, iccFile, watermarkFile]) => {
          const drawing = { recipe, ...(iccFile && { iccFile }), ...(watermarkFile && { watermarkFile }) }
          const order = { file: file!, mime, name, folder, boxes, pages: 1, maxPixels: config.previewPixels, drawing }
          const { drawn, problem } = await pool.run(order)
          if (!drawn) throw new NotDrawn(problem)
          return take(drawn)
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: () => pool.close(),
  }
}

/** The file or the recipe is unsuitable. */
export class NotDrawn extends Error {}

async function withFiles<T>(
  blobs: Blobs,
  [hash, ...rest]: readonly (string | undefined)[],
  work: (files: (string | undefined)[]) => Promise<T>,
  files: readonly (string | undefined)[] = [],
): Promise<T> {
  const next = (file?: string) =>
    rest.length === 0 ? work([...files, file]) : withFiles(blobs, rest, work, [...files, file])
  return hash === undefined ? next() : blobs.withFile(hash, next)
}

/** The preview settings of the storage. */
function settingsOf(settings: Readonly<Record<string, string>>) {
  const byResolution = settings['rncUseResolution'] === 'true'
  return {
    boxes: { thumbnail, preview, fullsize: byResolution ? largest : fullsizeOf(settings['rncOriginalMaxSize']) },
    pages: settings['rncPdfFirstPagePreviewOnly'] === 'false' ? maxPages : 1,
    ...(byResolution && { resolution: Number(settings['rncOriginalResolution'] ?? defaultResolution) }),
  }
}

function fullsizeOf(setting = defaultFullsize): Box {
  const [width = 0, height = 0] = setting.split('x').map(Number)
  return { width: Math.min(width || 1280, largest.width), height: Math.min(height || 1024, largest.height) }
}

const store = (database: Db, blobs: Blobs, source: rows.Source, made: Made) =>
  storeFiles(database, blobs, made.previews, (db, staged) => write(db, source, made, staged))

/** It is visible at once, while the import is running. */
const storeThumbnail = (database: Db, blobs: Blobs, { id, sha256: source }: rows.Source, thumbnail: MadePreview) =>
  storeFiles(database, blobs, [thumbnail], async (db, staged) => {
    if (!(await rows.isImporting(db, id, source))) return
    await rows.deletePreview(db, id, 'thumbnail')
    await insertPreviews(db, id, source, staged)
  })

async function storeFiles(
  database: Db,
  blobs: Blobs,
  previews: Made['previews'],
  write: (db: Db, staged: readonly StagedPreview[]) => Promise<void>,
): Promise<void> {
  const staged = await stageAll(blobs, previews)
  const files = staged.map(({ file }) => file)
  try {
    await commitWithBlobs(blobs, files, (registerBlobs) =>
      database.transaction(async (db) => {
        await registerBlobs(db)
        await write(db, staged)
      }),
    )
  } finally {
    for (const file of files) await file.drop()
  }
}

async function write(db: Db, { id, sha256: source }: rows.Source, made: Made, staged: readonly StagedPreview[]) {
  const { width, height, embedded } = made
  const status = made.problem ? 'incomplete' : 'available'
  if ((await rows.endImport(db, id, source, { status, width, height, embedded })) === 0) return
  await rows.deletePreviews(db, id)
  await insertPreviews(db, id, source, staged)
  const { type, vals } = (await rows.lockVals(db, id))!
  const mapped = await mapEmbedded(db, type, vals, embedded)
  const changes = { importStatus: { to: status }, ...valueChanges(vals, mapped) }
  if (mapped !== vals) await rows.writeVals(db, id, mapped)
  await recordImport(db, id, changes)
}

async function insertPreviews(db: Db, assetId: number, source: string, staged: readonly StagedPreview[]) {
  for (const { file, preview } of staged)
    await rows.insertPreview(db, source, { ...preview, assetId, sha256: file.sha256, size: file.size })
}

/** Ends the import without previews. */
const endWithout = (database: Db, { id, sha256 }: rows.Source, status: rows.Imported['status']) =>
  database.transaction(async (db) => {
    const ended = await rows.endImport(db, id, sha256, { status, embedded: {} })
    if (ended > 0) await recordImport(db, id, { importStatus: { to: status } })
  })

const recordImport = (db: Db, id: number, changes: NonNullable<Change['changes']>) =>
  writeChanges(db, 'system', [{ dataType: 'asset', id, event: 'UPDATE', action: 'import', changes }])

interface StagedPreview {
  readonly file: Staged
  readonly preview: Made['previews'][number]
}

async function stageAll(blobs: Blobs, previews: Made['previews']): Promise<StagedPreview[]> {
  const staged: StagedPreview[] = []
  for (const preview of previews) {
    const file = createReadStream(preview.file) as AsyncIterable<Buffer>
    staged.push({ file: await blobs.stage(file, Infinity), preview })
  }
  return staged
}
