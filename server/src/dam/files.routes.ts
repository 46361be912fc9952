/** The file-related part of the DAM: its routes and jobs. */
import { dam as contract, type Route } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JobTable, TimeTable } from '../adapters/jobs/jobs.ts'
import type { Services } from '../core/batch/batch.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { download, downloadMany } from './assets/bin/download/download.ts'
import { answerSelection, answerSigned, presignedUrl, type Sealer } from './assets/signed/signed.ts'
import { type FileServices, previewJob } from './files.ts'
import { answerPreview, previewUrls, type Signer } from './assets/previews/urls.ts'
import { retrievePreviews } from './assets/previews/retrieve.ts'
import { persistRncs, retrieveRncs } from './rncs/rncs.ts'
import { collect, collectJob, collectTimes } from './storage/collect.ts'
import { cancelUpload, finishUpload, retrieveUpload, startUpload, uploadChunk } from './assets/bin/chunked/chunked.ts'
import { upload } from './assets/bin/uploads/uploads.ts'
import { retrieveVariations, retrieveVariationTypes, uploadVariation } from './assets/variations/variations.ts'
import { uploadVersion, versions } from './assets/versions/versions.ts'

/** The dependencies that the application provides. */
export type FileNeeds = Pick<FileServices, 'blobs' | 'previews'> & { readonly sealer: Sealer & Signer }

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Routes whose request or reply is a raw file. */
const fileAnswers = (services: FileServices, sealer: FileNeeds['sealer']) =>
  ({
    download: (request, reply) => download(services, request, reply),
    downloadMany: (request, reply) => downloadMany(services, request, reply),
    upload: (request, reply) => upload(services, request, reply),
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
    downloadSelection: answerSelection(services, sealer),
    downloadPreview: answerPreview(services, sealer),
  }) as const satisfies Partial<Record<keyof typeof contract.routes, Answer>>
export type FileAnswer = keyof ReturnType<typeof fileAnswers>

export const fileResources: Pick<ResourceHandlers<typeof contract.resources>, 'assets/versions'> = {
  'assets/versions': versions,
}

type Described = 'retrieveRncs' | 'persistRncs' | 'presignedUrl' | 'retrievePreviews' | 'retrieveVariations'
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
})

export function mountFiles(app: FastifyInstance, services: Services, needs: FileNeeds): void {
  const all: FileServices = { ...services, ...needs }
  for (const [name, answer] of Object.entries(fileAnswers(all, needs.sealer))) {
    const { method, path, access, needs: right, form, requestBytes }: Route = contract.routes[name as FileAnswer]
    const config = {
      access,
      refusal: 'unauthorized' as const,
      ...(right && { needs: { ...(right.kind !== undefined && { kind: right.kind }), any: [right.action] } }),
      ...((form || requestBytes) && { longBody: true as const }),
    }
    const url = contract.base + path.replaceAll(/\{(\w+)\}/g, ':$1')
    // Some clients finish an upload with POST.
    app.route({ method: name.startsWith('finish') ? ['PUT', 'POST'] : method, url, config, handler: answer })
  }
}

export const fileJobs = ({ database, config }: Services, { blobs, previews }: FileNeeds): JobTable => ({
  [previewJob]: ({ assetId }: { assetId: number }) => previews.make(assetId),
  [collectJob]: async () => void (await collect(database, blobs, config.blobGraceMinutes)),
})
export const fileTimes: TimeTable = { [collectJob]: collectTimes }
