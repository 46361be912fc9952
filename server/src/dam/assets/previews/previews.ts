/**
 * The import of a file after its upload: previews, dimensions and embedded metadata, made in separate processes.
 *
 *   pending -> running -> available, or incomplete if a step failed; the file itself is available all the time
 *
 * Previews are stored like other files and become visible with the new status in one transaction, unless the asset has
 * got another file meanwhile. The thumbnail of a photo is ready first and does not wait for the others.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs, Staged } from '../../../adapters/blobs/blobs.ts'
import { piecesOf } from '../../../adapters/late-file.ts'
import type { GuardedBlobs } from '../../care/hold.ts'
import type { Services } from '../../../core/batch/batch.ts'
import type { Db } from '../../../adapters/postgres/db.ts'
import type { Change } from '../../../core/context.ts'
import { writeChanges } from '../../../core/outbox/history.sql.ts'
import { valueChanges } from '../../../values/api.ts'
import { type Analysis, hasText, isAnalysed, isMedia, isPicture, writeAnalysis } from '../../found/analysis.sql.ts'
import { commitWithBlobs } from '../../storage/storing.ts'
import { loadMapper } from './mapping.ts'
import { type Recipe, secondOf } from '../../renditions/recipe.ts'
import type { Box, Drawn, Made, MadePreview } from './message.ts'
import { createPool, NotMade, type Pool } from './pool.ts'
import * as rows from './previews.sql.ts'
import { findSandbox, type Sandbox } from './sandbox.ts'
import { findTools } from './tools.ts'

export interface Previews {
  /**
   * Makes the missing previews of an asset; the import status shows the result. Rejects if something else than the file may
   * be at fault, unless too many attempts were made before.
   */
  make(assetId: number, attempt?: number): Promise<void>
  /** The same for a caller who waits. It never rejects: what is missing then is made by the job. */
  makeNow(assetId: number): Promise<void>
  /** Finds out how a picture looks or what a document says. A note says why it is not known; rejects if the file is not available. */
  analyse(source: DrawnFrom): Promise<Analysis>
  /** Draws a picture of a file and passes it on, before it is removed. */
  draw<T>(source: DrawnFrom, recipe: Recipe, take: (drawn: Drawn) => Promise<T>): Promise<T>
  /** Whether films and sounds can be copied: the programs are installed. */
  readonly canCopy: boolean
  /** Makes a copy of a film or a sound that browsers play, and passes it on, before it is removed. */
  copy<T>(source: DrawnFrom, options: CopyOptions, take: (drawn: Drawn) => Promise<T>): Promise<T>
  close(): void
}
interface CopyOptions {
  readonly onProgress: (percent: number) => void
  /** Ends the work when it is aborted. */
  readonly stop: AbortSignal
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
/** Of films and sounds that are copied. */
const maxSeconds = 4 * 3600
const maxCopyBytes = 2 * 1024 ** 3

export function createPreviews(
  { database, config, blobs }: Pick<Services, 'database' | 'config'> & { readonly blobs: GuardedBlobs },
  log: Log,
  /** Called once with the level at which external programs are separated from the server, if there are any. */
  isolated: (level: Sandbox['level']) => void,
): Previews {
  const tools = findTools(config.tools)
  const hasTools = Object.keys(tools).length > 0
  const sandbox = hasTools ? findSandbox(config.data) : Promise.resolve<Sandbox>({ level: 'none' })
  const shared = { memoryMiB: config.previewMemory, tools, sandbox }
  const pool = createPool({ ...shared, size: config.previewWorkers, seconds: config.previewSeconds })
  // Of their own, because they take long: previews do not wait for them.
  const copies = createPool({ ...shared, size: 1, seconds: config.filmSeconds })
  if (hasTools) void sandbox.then(({ level }) => isolated(level))

  const { analyse, analysisOf, end } = createAnalyser(database, blobs, pool, config.previewPixels)

  const makeFor = async (source: rows.Source, folder: string): Promise<void> => {
    const { mime, name, sha256, settings, posterTime } = source
    const second = secondOf(posterTime ?? undefined)
    const shared = { mime, name, folder, ...settingsOf(settings), maxPixels: config.previewPixels }
    const order = { ...shared, ...(second !== undefined && { second }) }
    let first: Promise<void> | undefined
    const onThumbnail = (thumbnail: MadePreview) => {
      first = storeThumbnail(database, blobs.raw, source, thumbnail).catch((error: Error) => log(error, source.id))
    }
    const run = () => blobs.withFile(sha256, (file) => pool.run({ ...order, file }, { onThumbnail }))
    let made = await run()
    if (made.problem) {
      log(new Error(made.problem), source.id)
      await demandWhole(blobs.raw, sha256)
      await first
      // Its bytes may have been repaired since they were read.
      made = await run()
    }
    await first
    await store(database, blobs.raw, source, { made, analysis: await analysisOf(source, made) })
  }

  const previews: Previews = {
    async make(assetId, attempt = 1) {
      const source = await rows.startImport(database, assetId)
      if (!source) return
      if (source.settings['rncDisablePreviewGeneration'] === 'true') {
        const isWanted = isPicture(source.mime) || hasText(source.mime)
        return endWithout(database, source, 'available', isWanted ? await analyse(source) : undefined)
      }
      try {
        await inFolder('previews', (folder) => makeFor(source, folder))
      } catch (error) {
        log(error as Error, assetId)
        if (attempt < triesAfter(error)) throw error
        if (attempt < previewAttempts) await demandWhole(blobs.raw, source.sha256)
        await endWithout(database, source, 'incomplete')
      }
    },
    async makeNow(assetId) {
      await previews.make(assetId).catch((error: Error) => log(error, assetId))
    },
    async draw({ sha256, mime, name }, recipe, take) {
      const { icc, watermark } = recipe
      const box = { width: largest.width, height: largest.width }
      const boxes = { thumbnail: box, preview: box, fullsize: box }
      return inFolder('rendition', (folder) =>
        withFiles(blobs, [sha256, icc, watermark?.sha256], async ([file, iccFile, watermarkFile]) => {
          const drawing = { recipe, ...(iccFile && { iccFile }), ...(watermarkFile && { watermarkFile }) }
          const order = { file: file!, mime, name, folder, boxes, pages: 1, maxPixels: config.previewPixels, drawing }
          const second = recipe.t !== undefined && { second: recipe.t }
          const { drawn, problem } = await pool.run({ ...order, ...second }).catch(asNotDrawn)
          if (!drawn) throw new NotDrawn(problem)
          return take(drawn)
        }),
      )
    },
    analyse,
    canCopy: tools.ffmpeg !== undefined && tools.ffprobe !== undefined,
    copy: createCopier(blobs, copies, config),
    close() {
      end()
      pool.close()
      copies.close()
    },
  }
  return previews
}

function createCopier(
  blobs: Blobs,
  pool: Pool,
  { renditionSpace, previewPixels: maxPixels }: Pick<Services['config'], 'renditionSpace' | 'previewPixels'>,
): Previews['copy'] {
  const copying = { maxSeconds, maxBytes: Math.min(maxCopyBytes, renditionSpace * 1024 * 1024) }
  return async ({ sha256, mime, name }, { onProgress, stop }, take) => {
    const end = () => pool.close()
    stop.addEventListener('abort', end)
    try {
      return await inFolder('copy', (folder) =>
        blobs.withFile(sha256, async (file) => {
          stop.throwIfAborted()
          const order = { file, mime, name, folder, ...settingsOf({}), maxPixels, copying }
          const { drawn, problem } = await pool.run(order, { onProgress }).catch(asNotDrawn)
          if (!drawn) throw new NotDrawn(problem)
          return take(drawn)
        }),
      )
    } finally {
      stop.removeEventListener('abort', end)
    }
  }
}

/** `end`: from then on a worker that ends is not the fault of its file. */
function createAnalyser(database: Db, blobs: Blobs, pool: Pool, maxPixels: number) {
  let isEnded = false
  const analyse: Previews['analyse'] = async ({ mime, name, sha256 }) => {
    const order = { mime, name, ...settingsOf({}), maxPixels, isAnalysis: true } as const
    const run = (file: string, folder: string): Promise<Pick<Made, 'look' | 'pages' | 'problem'>> =>
      pool.run({ ...order, file, folder }).catch((error: Error) => {
        if (isEnded) throw error
        return { problem: error.message }
      })
    const { look, pages, problem } = await inFolder('analysis', (folder) =>
      blobs.withFile(sha256, (file) => run(file, folder)),
    )
    return { ...(look && { look }), ...(pages && { pages }), note: problem }
  }
  /** Pictures are analysed with their previews, without a second decoding; documents separately, so that they fail separately. */
  const analysisOf = async (source: rows.Source, made: Made): Promise<Analysis | undefined> => {
    if (isPicture(source.mime)) return { ...(made.look && { look: made.look }), note: made.problem }
    if (isMedia(source.mime)) return { ...(made.peaks && { peaks: made.peaks }), note: made.problem }
    return hasText(source.mime) && !(await isAnalysed(database, source.sha256)) ? analyse(source) : undefined
  }
  return { analyse, analysisOf, end: () => void (isEnded = true) }
}

async function inFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `kontor-${purpose}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A file is at fault only if its stored bytes are those that were uploaded. */
async function demandWhole(blobs: Blobs, sha256: string): Promise<void> {
  for await (const _ of await blobs.reread(sha256));
}

/** A store that is away for hours delays previews, but nobody has to ask for them again. */
export const previewAttempts = 15
const tries = { memory: 1, time: 2, worker: 6 }
/** How many attempts are enough after this error. The queue waits longer before each: six attempts take some minutes. */
const triesAfter = (error: unknown) => (error instanceof NotMade ? tries[error.fault] : previewAttempts)

/** The file or the recipe is unsuitable. */
export class NotDrawn extends Error {}

/** A file that needs more than a worker has does so each time, so its requester can do something about it. */
function asNotDrawn(cause: unknown): never {
  if (!(cause instanceof NotMade) || cause.fault === 'worker') throw cause
  throw new NotDrawn(cause.fault === 'memory' ? 'it needs too much memory' : cause.message, { cause })
}

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

interface Found {
  readonly made: Made
  readonly analysis: Analysis | undefined
}
const store = (database: Db, blobs: Blobs, source: rows.Source, found: Found) =>
  storeFiles(database, blobs, found.made.previews, (db, staged) => write(db, source, found, staged))

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

async function write(
  db: Db,
  { id, sha256: source }: rows.Source,
  { made, analysis }: Found,
  staged: readonly StagedPreview[],
) {
  const { width, height, embedded } = made
  const status = made.problem ? 'incomplete' : 'available'
  if ((await rows.endImport(db, id, source, { status, width, height, embedded })) === 0) return
  if (analysis) await writeAnalysis(db, source, analysis)
  await rows.deletePreviews(db, id)
  await insertPreviews(db, id, source, staged)
  const { type, vals } = (await rows.lockVals(db, id))!
  const mapped = (await loadMapper(db))(type, vals, embedded)
  const changes = { importStatus: { to: status }, ...valueChanges(vals, mapped) }
  if (mapped !== vals) await rows.writeVals(db, id, mapped)
  await recordImport(db, id, changes)
}

async function insertPreviews(db: Db, assetId: number, source: string, staged: readonly StagedPreview[]) {
  for (const { file, preview } of staged)
    await rows.insertPreview(db, source, { ...preview, assetId, sha256: file.sha256, size: file.size })
}

/** Ends the import without previews. */
const endWithout = (database: Db, { id, sha256 }: rows.Source, status: rows.Imported['status'], analysis?: Analysis) =>
  database.transaction(async (db) => {
    const ended = await rows.endImport(db, id, sha256, { status, embedded: {} })
    if (ended > 0 && analysis) await writeAnalysis(db, sha256, analysis)
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
    staged.push({ file: await blobs.stage(piecesOf(preview.file), Infinity), preview })
  }
  return staged
}
