/** The part of the DAM that moves files: which calls it answers, and its jobs. */
import { dam as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { JobTable, TimeTable } from '../adapters/jobs/jobs.ts'
import type { Services } from '../core/batch/batch.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams, type StreamHandlers } from '../core/http/streaming.ts'
import { download, downloadMany } from './assets/bin/download/download.ts'
import { answerSelection, answerSigned, presignedUrl, type Sealer } from './assets/signed/signed.ts'
import type { CareCounts } from './care/counts.ts'
import { openArchive } from './care/archive.ts'
import { careJobs, careTimes } from './care/module.ts'
import { type FileServices, previewJob } from './files.ts'
import { answerPreview, previewUrls, type Signer } from './assets/previews/urls.ts'
import { retrievePreviews } from './assets/previews/retrieve.ts'
import { analyseJob, analyseMissing, analyseTimes } from './found/analyse.ts'
import { copyJob, makeCopy } from './renditions/media/copies.ts'
import { mediaRoutes, publicMedia } from './renditions/media/media.ts'
import { publicRendition, rendition } from './renditions/answer.ts'
import { iiifBase, iiifImage, iiifInfo } from './renditions/iiif.ts'
import { tidyJob, tidyRenditions, tidyTimes } from './renditions/maker.ts'
import { sendRenditions } from './renditions/many.ts'
import { metadataRoutes } from './metadata/metadata.ts'
import { profileRoutes } from './renditions/profiles.ts'
import { urlRoutes } from './renditions/urls.ts'
import { persistRncs, retrieveRncs } from './rncs/rncs.ts'
import { collect, collectJob, collectTimes } from './storage/collect.ts'
import { cancelUpload, finishUpload, retrieveUpload, startUpload, uploadChunk } from './assets/bin/chunked/chunked.ts'
import { upload } from './assets/bin/uploads/uploads.ts'
import { retrieveVariations, retrieveVariationTypes, uploadVariation } from './assets/variations/variations.ts'
import { recordTurns, turnJob, turnTimes } from './usage/turns.ts'
import { warnJob, warnOwners, warnTimes } from './usage/warn.ts'
import { uploadVersion, versions } from './assets/versions/versions.ts'

/** The dependencies that the application provides. */
export type FileNeeds = Pick<FileServices, 'blobs' | 'previews' | 'renditions'> & {
  readonly sealer: Sealer & Signer
  readonly counts: CareCounts
}

/** Routes that take or give files as they are. */
const fileAnswers = (services: FileServices, sealer: FileNeeds['sealer']) =>
  ({
    download: download(services),
    downloadMany: downloadMany(services, sendRenditions(services)),
    upload: upload(services),
    uploadVariation: uploadVariation(services),
    uploadVersion: uploadVersion(services),
    startUpload: startUpload(services, 'asset'),
    uploadChunk: uploadChunk(services, 'asset'),
    finishUpload: finishUpload(services, 'asset'),
    startVersion: startUpload(services, 'version'),
    uploadVersionChunk: uploadChunk(services, 'version'),
    finishVersion: finishUpload(services, 'version'),
    retrieveUpload: retrieveUpload(services, 'asset'),
    retrieveVersionUpload: retrieveUpload(services, 'version'),
    cancelUpload: cancelUpload(services, 'asset'),
    cancelVersionUpload: cancelUpload(services, 'version'),
    downloadSigned: answerSigned(services, sealer),
    uploadSigned: answerSigned(services, sealer),
    downloadSelection: answerSelection(services, sealer, sendRenditions(services)),
    downloadPreview: answerPreview(services, sealer),
    rendition: rendition(services),
    publicRendition: publicRendition(services, sealer),
    publicMedia: publicMedia(services, sealer),
    iiifBase: iiifBase(services, sealer, contract.base),
    iiifInfo: iiifInfo(services, sealer, contract.base),
    iiifImage: iiifImage(services, sealer),
  }) as const satisfies Partial<StreamHandlers<typeof contract.routes>>
export type FileAnswer = keyof ReturnType<typeof fileAnswers>

export const fileResources: Pick<ResourceHandlers<typeof contract.resources>, 'assets/versions'> = {
  'assets/versions': versions,
}

type Described =
  | 'retrieveRncs'
  | 'persistRncs'
  | 'presignedUrl'
  | 'retrievePreviews'
  | 'retrieveVariations'
  | keyof ReturnType<typeof profileRoutes>
  | keyof typeof metadataRoutes
  | keyof ReturnType<typeof urlRoutes>
  | keyof ReturnType<typeof mediaRoutes>
export const fileRoutes = (
  needs: FileNeeds,
): RouteHandlers<Pick<typeof contract.routes, Described | 'listVariationTypes' | 'retrieveVariationTypes'>> => ({
  retrieveRncs,
  persistRncs,
  presignedUrl: presignedUrl(needs, needs.sealer, contract.base),
  retrievePreviews: retrievePreviews(previewUrls(needs.sealer, contract.base)),
  retrieveVariations,
  listVariationTypes: retrieveVariationTypes,
  retrieveVariationTypes,
  ...profileRoutes(needs.blobs),
  ...metadataRoutes,
  ...urlRoutes(needs.sealer, contract.base),
  ...mediaRoutes(needs, needs.sealer, contract.base),
})

export function mountFiles(app: FastifyInstance, services: Services, needs: FileNeeds): void {
  const all: FileServices = { ...services, ...needs }
  // Some clients finish an upload by POST.
  mountStreams(app, services, contract, fileAnswers(all, needs.sealer), ['finishUpload', 'finishVersion'])
}

export const fileJobs = (services: Services, { blobs, previews, counts }: FileNeeds): JobTable => {
  const { database, config } = services
  const archive = openArchive(config)
  return {
    ...careJobs(services, blobs, counts, archive),
    [previewJob]: ({ assetId }: { assetId: number }, _, attempt) => previews.make(assetId, attempt),
    [collectJob]: async () => void (await collect(database, blobs.raw, config.blobGraceMinutes, archive)),
    [analyseJob]: () => analyseMissing(database, previews),
    [copyJob]: (job: { sha256: string }, stop) => makeCopy({ database, blobs, previews }, job, stop),
    [tidyJob]: () => tidyRenditions(database, config.renditionSpace),
    [turnJob]: () => recordTurns(services),
    [warnJob]: () => warnOwners(services),
  }
}
export const fileTimes: TimeTable = {
  ...careTimes,
  [collectJob]: collectTimes,
  [tidyJob]: tidyTimes,
  [analyseJob]: analyseTimes,
  [turnJob]: turnTimes,
  [warnJob]: warnTimes,
}
