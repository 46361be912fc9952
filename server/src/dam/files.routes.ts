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
import { type FileServices, previewJob } from './files.ts'
import { answerPreview, previewUrls, type Signer } from './assets/previews/urls.ts'
import { retrievePreviews } from './assets/previews/retrieve.ts'
import { publicRendition, rendition } from './renditions/answer.ts'
import { iiifBase, iiifImage, iiifInfo } from './renditions/iiif.ts'
import { tidyJob, tidyRenditions, tidyTimes } from './renditions/maker.ts'
import { sendRenditions } from './renditions/many.ts'
import { profileRoutes } from './renditions/profiles.ts'
import { urlRoutes } from './renditions/urls.ts'
import { persistRncs, retrieveRncs } from './rncs/rncs.ts'
import { collect, collectJob, collectTimes } from './storage/collect.ts'
import { cancelUpload, finishUpload, retrieveUpload, startUpload, uploadChunk } from './assets/bin/chunked/chunked.ts'
import { upload } from './assets/bin/uploads/uploads.ts'
import { retrieveVariations, retrieveVariationTypes, uploadVariation } from './assets/variations/variations.ts'
import { warnJob, warnOwners, warnTimes } from './usage/warn.ts'
import { uploadVersion, versions } from './assets/versions/versions.ts'

/** The dependencies that the application provides. */
export type FileNeeds = Pick<FileServices, 'blobs' | 'previews' | 'renditions'> & { readonly sealer: Sealer & Signer }

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
    iiifBase: iiifBase(services, sealer),
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
  | keyof typeof profileRoutes
  | keyof ReturnType<typeof urlRoutes>
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
  ...profileRoutes,
  ...urlRoutes(needs.sealer, contract.base),
})

export function mountFiles(app: FastifyInstance, services: Services, needs: FileNeeds): void {
  const all: FileServices = { ...services, ...needs }
  // Some clients finish an upload by POST.
  mountStreams(app, services, contract, fileAnswers(all, needs.sealer), ['finishUpload', 'finishVersion'])
}

export const fileJobs = (services: Services, { blobs, previews }: FileNeeds): JobTable => {
  const { database, config } = services
  return {
    [previewJob]: ({ assetId }: { assetId: number }) => previews.make(assetId),
    [collectJob]: async () => void (await collect(database, blobs, config.blobGraceMinutes)),
    [tidyJob]: () => tidyRenditions(database, config.renditionSpace),
    [warnJob]: () => warnOwners(services),
  }
}
export const fileTimes: TimeTable = { [collectJob]: collectTimes, [tidyJob]: tidyTimes, [warnJob]: warnTimes }
