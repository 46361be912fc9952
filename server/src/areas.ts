/**
 * The areas of the interface, and what they need of each other. The application (app.ts) and the processes that build
 * search indexes (process/search-reader.ts) both use this file, so that an area added here is served and searched.
 */
import { changeJobs, changes, changeTimes } from './changes/module.ts'
import { missingValues, productScores } from './cm/api.ts'
import { cm, cmDocuments, cmTargets, cmUses } from './cm/module.ts'
import { assetsOf, demandCollection } from './collections/api.ts'
import { collectionRoutes, describeCollections } from './collections/module.ts'
import {
  createUsage,
  findLocales,
  findSource,
  glossaryTarget,
  keywordTarget,
  type Target,
  type Targets,
} from './common/api.ts'
import { common, commonUses } from './common/module.ts'
import type { Config } from './config.ts'
import type { AreaModule } from './core/area.ts'
import type { Services } from './core/batch/batch.ts'
import type { Mounted } from './core/batch/handlers.ts'
import { toProblem } from './core/http/failure.ts'
import type { OutboxNotifier } from './core/outbox/notifier.ts'
import type { DocumentSource } from './core/outbox/documents.ts'
import { findOriginals } from './dam/assets/bin/download/originals.ts'
import { demandPurpose } from './dam/usage/terms.ts'
import { hasUsageTurned } from './dam/usage/usage.sql.ts'
import { putFile } from './dam/assets/bin/uploads/put.ts'
import { care } from './dam/care/module.ts'
import { selectAssets } from './dam/assets/select.ts'
import { findNames } from './dam/assets/select.sql.ts'
import { describeDefinitions as damDefinitions } from './dam/attribute-definitions/attribute-definitions.sql.ts'
import { findNamed } from './dam/entries.ts'
import { describeRncs } from './dam/rncs/rncs.sql.ts'
import { exportPictures } from './dam/renditions/many.ts'
import { renewPreviews } from './dam/files.ts'
import { dam, damDocuments, damTargets, damUses, type FileNeeds } from './dam/module.ts'
import { events } from './events/events.ts'
import type { DescribedKinds } from './events/view.ts'
import { describeFeeds, feedJobs, type FeedNeeds, feedRoutes, feedTimes } from './feeds/module.ts'
import { createPagePasswords, type Identity, type MasterKey } from './identity/module.ts'
import { addressesOf, peopleWith, recipients } from './identity/users/recipients.sql.ts'
import { peo, peoTargets, peoUses } from './peo/module.ts'
import { describeGroups } from './pim/attribute-groups/attribute-groups.sql.ts'
import {
  describeAttributes,
  describeClassifications,
  describeDefinitions as pimDefinitions,
} from './pim/model/uses.sql.ts'
import { pim, pimJobs, pimTargets, pimTimes, pimUses } from './pim/module.ts'
import { presence } from './presence/presence.ts'
import { describeRules, ruleJobs, type RuleNeeds, ruleRoutes, ruleTimes } from './rules/module.ts'
import { catchUp, demandSearch, loadSearch, productsWithWords, tidsOfSearch, tidsOfSearchNow } from './search/api.ts'
import { historyDocuments } from './search/history/history.ts'
import { alertJobs, alertTimes, type SearchService } from './search/module.ts'
import { sharePages } from './share/module.ts'
import { describeShares, type ShareNeeds, shareRoutes, sweepShares } from './shares/module.ts'
import { orderExport, transferJobs, transfers, transferTimes } from './transfers/module.ts'
import { webhooks } from './webhooks/module.ts'
import { createWorkflow, type WorkflowNeeds } from './workflow/module.ts'
import { describeProcesses } from './workflow/processes/documents.sql.ts'
import { processDocuments } from './workflow/processes/documents.ts'

// prettier-ignore
const components = {
  pim: 'active', dam: 'active', cm: 'active', peo: 'active', workflow: 'active', search: 'active',
  glossary: 'active', keywords: 'active',
} as const

/** Objects that can be linked to each other. */
export const targets: Targets = new Map([...pimTargets, ...damTargets, ...cmTargets, ...peoTargets])
const targetsAndKeywords: Targets = new Map([...targets, ['keyword', keywordTarget]])

/** Finds out where an object is used, over all areas. */
export const usage = createUsage(targetsAndKeywords, [commonUses, pimUses, damUses, cmUses, peoUses])

/** Kinds of objects that not everybody may read who may read the kind. */
export const describedKinds: DescribedKinds = new Map<string, Pick<Target, 'describe'> & { isPersonal?: boolean }>([
  ...usage.kinds,
  ...(['article', 'variant'] as const).map((level) => [level, targets.get('product')!] as const),
  ['attribute', { describe: describeAttributes }],
  ['classification', { describe: describeClassifications }],
  ['rnc', { describe: describeRncs }],
  [
    'attrDefinition',
    { describe: async (db, ids) => [...(await pimDefinitions(db, ids)), ...(await damDefinitions(db, ids))] },
  ],
  ['attrGroup', { describe: describeGroups }],
  ['workflow', { describe: describeProcesses, isPersonal: true }],
  ['feed', { describe: describeFeeds, isPersonal: true }],
  ['rule', { describe: describeRules, isPersonal: true }],
  ['collection', { describe: describeCollections, isPersonal: true }],
  ['share', { describe: describeShares, isPersonal: true }],
])

export const createProducts = (config: Pick<Config, 'nodeAttributes'>) => pim({ targets, config })
type Products = ReturnType<typeof createProducts>

/** Every object that can be searched. */
export const documentSources = (products: Products): readonly DocumentSource[] => [
  ...products.documents,
  ...damDocuments(targets),
  ...cmDocuments({ ...products, targets }),
  processDocuments,
  historyDocuments,
]

export interface AreaNeeds {
  readonly services: Services
  readonly identity: Identity
  readonly masterKey: MasterKey
  readonly files: FileNeeds
  readonly products: Products
  /** Every mounted resource by its path; filled when the areas are mounted. */
  readonly resources: ReadonlyMap<string, Mounted>
  readonly notifier: () => Promise<OutboxNotifier>
  /** Aborted when the server stops: requests that wait for something end then. */
  readonly closing: AbortSignal
}

/** All areas except search, transfers and changes, which work on top of these. */
export async function createAreas(needs: AreaNeeds) {
  const { services, identity, masterKey, files, products, notifier, closing } = needs
  const workflow = await createWorkflow(services, workflowNeeds(needs))
  const areas: readonly AreaModule[] = [
    common({ targets, recipients, components }),
    products,
    dam({ ...files, targets }),
    care(services),
    cm({ ...products, targets, usage }),
    peo({ targets, products: products.productViews }),
    identity.area,
    events({ kinds: describedKinds, notifier, closing }),
    webhooks(masterKey),
    presence(targets),
    workflow.area,
  ]
  return { areas, workflow }
}

/** Workflows check, change, export and notify through the other areas. */
const workflowNeeds = ({ services, products, resources }: AreaNeeds): WorkflowNeeds => ({
  targets: new Map([...targets, ['glossary', glossaryTarget]]),
  resources: () => resources,
  missingValues: missingValues(products.productViews),
  makePreviews: renewPreviews,
  orderExport: ({ db, caller }, request) =>
    orderExport({ ...services, findCategory: products.findCategory }, db, caller, request),
  exists: async (db, userName) => (await recipients(db, [userName], [])).size > 0,
  addressesOf,
  peopleWith,
})

/** Imports, exports and feeds read and write through the other areas. */
const transferNeeds = (
  { services, masterKey, files, products, resources }: AreaNeeds,
  search: SearchService,
  fail: (error: unknown) => string,
): FeedNeeds => ({
  ...services,
  sealer: masterKey,
  resources: () => resources,
  retrieveProducts: (ctx, names) => products.resources.products.retrieve(ctx, names),
  usedValues: products.usedValues,
  retrieveGroups: (ctx) => products.resources['attribute-groups'].retrieve(ctx, {}),
  retrieveDefinitions: (ctx) => products.resources['attribute-definitions'].retrieve(ctx, { all: true }),
  retrieveClasses: (ctx) => products.resources.classes.retrieve(ctx, { withNodes: true, flatNodes: true }),
  putFile: (caller, path, bytes) => putFile({ ...services, ...files }, caller, path, bytes),
  async findFiles(ctx, names, purpose = {}) {
    await demandPurpose(ctx, targets, purpose)
    return findOriginals(files, ctx, names, purpose)
  },
  async findPictures(ctx, names, pictures) {
    await demandPurpose(ctx, targets, pictures.purpose)
    return exportPictures({ ...services, ...files }, masterKey)(ctx, names, pictures)
  },
  selectProducts: products.selectProducts,
  findCategory: products.findCategory,
  affectedProducts: products.affectedProducts,
  hasUsageTurned,
  scoresOf: productScores(products.productViews),
  productsWith: products.productsWith,
  findStored: (ctx, id) => tidsOfSearch(search, ctx, id),
  lockProducts: products.lockProducts,
  staleTexts: products.staleTexts,
  confirmTexts: products.confirmTexts,
  sourceLocale: ({ db }) => findSource(db),
  findWords: (ctx, ...words) => productsWithWords(search, ctx, ...words),
  contentLocales: async ({ db }) => (await findLocales.CONTENT(db)).map(({ tid }) => tid),
  isPassing,
  fail,
})

/** Changes of many objects, and rules, read and write through the other areas. */
const changeNeeds = (
  { services, products, resources }: AreaNeeds,
  search: SearchService,
  sharing: ShareNeeds,
  fail: (error: unknown) => string,
): RuleNeeds => ({
  ...services,
  resources: () => resources,
  targets: targetsAndKeywords,
  lock: {
    product: products.lockProducts,
    asset: (ctx, tids) => findNamed(ctx, 'asset', tids.map((tid) => ({ tid })), 'update'), // prettier-ignore
  },
  selectProducts: products.selectProducts,
  selectAssets,
  collectionAssets: async (ctx, id) =>
    (await assetsOf(sharing, ctx, await demandCollection(ctx, String(id)))).map(({ tid }) => tid),
  findNames: ({ db }, slots, isPrefix) => findNames(db, slots, isPrefix),
  matchProducts: products.matchProducts,
  nearestProducts: products.nearestProducts,
  find: (ctx, kind, sent) => tidsOfSearch(search, ctx, sent, kind),
  findNow: (ctx, kind, sent) => tidsOfSearchNow(search, ctx, sent, kind),
  catchUp: (index) => catchUp(search, index),
  checkSearch: (ctx, sent, place) => demandSearch(search, ctx, sent, place),
  isPassing,
  fail,
})

/** Collections and pages run searches of the DAM's files, with the rights of each reader. */
const sharingNeeds = ({ services, files, masterKey }: AreaNeeds, search: SearchService): ShareNeeds => ({
  ...services,
  ...files,
  loadSearch: ({ db, caller }, id) => loadSearch(db, caller, String(id)),
  find: (ctx, sent) => tidsOfSearch(search, ctx, sent, 'asset'),
  checkSearch: (ctx, sent, place) => demandSearch(search, ctx, sent, place),
  recipients,
  sealer: masterKey,
  passwords: createPagePasswords(services.database, services.config.passwordCost),
})

const isPassing = (error: unknown) => toProblem(error as Error).kind === 'unavailable'

/** Transfers, feeds and changes, which work on top of all other areas, and their jobs. */
export function createUpperAreas(needs: AreaNeeds, search: SearchService, fail: (error: unknown) => string) {
  const transferring = transferNeeds(needs, search, fail)
  const sharing = sharingNeeds(needs, search)
  const changing = changeNeeds(needs, search, sharing, fail)
  return {
    areas: [
      transfers(transferring),
      feedRoutes(transferring),
      changes(changing),
      ruleRoutes(changing),
      collectionRoutes(sharing),
      shareRoutes(sharing),
      sharePages(sharing),
    ],
    jobs: {
      ...pimJobs(needs.services.database),
      ...feedJobs(transferring, transferJobs(transferring)),
      ...changeJobs(changing),
      ...ruleJobs(changing),
      ...alertJobs(needs.services, search, fail),
    },
    /** Deletes what nobody needs any more; called every hour. */
    sweep: () => sweepShares(needs.services.database),
    times: { ...pimTimes, ...transferTimes, ...feedTimes, ...changeTimes, ...ruleTimes, ...alertTimes },
  }
}
