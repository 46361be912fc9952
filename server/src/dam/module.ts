/** The DAM area: which handlers answer which part of the contract. */
import { join } from 'node:path'
import { dam as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { keywordTarget, type Target, type Targets } from '../common/api.ts'
import type { Config } from '../config.ts'
import type { Services } from '../core/batch/batch.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { assetDocuments } from './assets/assets.documents.ts'
import { assetTarget } from './assets/assets.links.ts'
import { assets, checkin, duplicates, retrieveHistories, retrieveStatuses } from './assets/assets.ts'
import { attributeDefinitions, definitionAdmin } from './attribute-definitions/attribute-definitions.ts'
import type { MakePreviews } from './dirs/dirs.copy.ts'
import { dirs } from './dirs/dirs.ts'
import { type FileAnswer, type FileNeeds, fileResources, fileRoutes, mountFiles } from './files.routes.ts'
import { queueAllPreviews } from './files.ts'
import { createCounts } from './care/counts.ts'
import { guardBlobs, incomingOf } from './care/hold.ts'
import { previewUrls } from './assets/previews/urls.ts'
import { createPreviews } from './assets/previews/previews.ts'
import { createRenditions } from './renditions/maker.ts'
import { similar } from './found/similar.ts'
import { purge } from './trash/trash.sql.ts'
import { trash } from './trash/trash.ts'

export { damUses } from './trash/trash.sql.ts'
export { careReadings } from './care/counts.ts'
export { scannerCheck } from './care/module.ts'
export { fileJobs, type FileNeeds, fileTimes } from './files.routes.ts'

interface DamNeeds extends FileNeeds {
  /** Kinds of objects that assets can be linked to. */
  readonly targets: Targets
}

/** The link targets of this area. */
export const damTargets: readonly [string, Target][] = [['asset', assetTarget]]

/** Deletes entries that have been in the trash longer than the configured time. */
export const purgeTrash = (db: Db, { trashDays }: Config) => purge(db, trashDays)

const withKeywords = (targets: Targets): Targets => new Map([...targets, ['keyword', keywordTarget]])

/** The search documents of this area. */
export const damDocuments = (targets: Targets) => [assetDocuments(withKeywords(targets))]

/** Opens the blob store and the pool of preview workers. */
export function openFiles(
  { database, config }: Services,
  http: FastifyInstance,
  sealer: FileNeeds['sealer'],
): FileNeeds {
  const blobs = guardBlobs(database, openBlobs(config.blobs, join(config.data, 'blobs')), {
    incoming: incomingOf(config),
    notesUse: config.archive !== undefined,
  })
  const previews = createPreviews(
    { database, config, blobs },
    (error, assetId) => http.log.warn({ err: error, assetId }, 'no previews'),
    (isolation) => http.log.info({ isolation }, 'programs that convert files'),
  )
  http.addHook('onClose', async () => previews.close())
  const renditions = createRenditions({
    database,
    blobs,
    previews,
    seconds: config.previewSeconds,
    space: config.renditionSpace,
  })
  return { blobs, previews, renditions, sealer, counts: createCounts() }
}

export function dam(needs: DamNeeds) {
  const targets = withKeywords(needs.targets)
  const resources: ResourceHandlers<typeof contract.resources> = {
    assets: assets({ targets, makePreviews, previewUrl: previewUrls(needs.sealer, contract.base) }),
    dirs: dirs(makePreviews),
    'attribute-definitions': attributeDefinitions,
    'admin/attribute-definitions': definitionAdmin,
    'assets/duplicates': duplicates,
    'assets/similar': similar,
    trash,
    ...fileResources,
  }
  const routes: RouteHandlers<Omit<typeof contract.routes, FileAnswer>> = {
    checkin,
    retrieveHistories: retrieveHistories(targets),
    retrieveStatuses,
    retrieveStatus: (ctx, call) => retrieveStatuses(ctx, call),
    ...fileRoutes(needs),
  }
  const plugin = (app: FastifyInstance, services: Services) => mountFiles(app, services, needs)
  return { contract, resources, routes, plugin }
}

const makePreviews: MakePreviews = async (ctx, assetIds) => void (await queueAllPreviews(ctx, assetIds))
