/** The Search area: maps each route of the contract to its handler. */
import { statSync } from 'node:fs'
import { search as contract, type Search, searchVersion } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import type { Caller, Context } from '../core/context.ts'
import type { Call, RouteHandlers } from '../core/http/routes.ts'
import {
  deleteConfiguration,
  findConfigured,
  listConfigurations,
  putConfiguration,
} from './configurations/configurations.ts'
import { orUnavailable } from './query/unavailable.ts'
import { createSearchService, type SearchService, type ServiceOptions } from './feed/service.ts'
import { timedHead } from './reply-head.ts'
import { addHistory, deleteHistory, queryHistory } from './history/history.ts'
import { updateDocuments, waitForDocuments } from './documents/documents.ts'
import { commandIndex, listIndexes, listIndexStates } from './indexes/indexes.ts'
import { demandIndex, listFields } from './fields/fields.ts'
import { runSearch, type Searching } from './query/search.ts'
import { suggest, typeAhead } from './suggest/suggest.ts'
import { changeSearch, deleteSearch, listSearches, loadSearch, storeSearch } from './storedsearch/storedsearch.ts'

export { alertJobs, alertTimes } from './alerts/alerts.ts'
export type { SearchService } from './feed/service.ts'

export function search(options: ServiceOptions) {
  const opened = createSearchService(options)
  const service: SearchService = { ...opened, start: () => orUnavailable(opened.start()) }
  return { contract, resources: {}, routes: routesOf(service, options), service }
}

function routesOf(
  service: SearchService,
  { closing }: Pick<ServiceOptions, 'closing'>,
): RouteHandlers<typeof contract.routes> {
  const searching = async ({ db, caller }: Context): Promise<Searching> => ({
    running: await service.start(),
    db,
    caller,
  })
  const openFor = (caller: Caller) => async (db: Db) => ({ running: await service.start(), db, caller })
  const find = async (ctx: Context, { body }: { readonly body: Search }) =>
    runSearch(await searching(ctx), body, await findConfigured(ctx.db, body, '/search'))
  const version = async () => versionOf()
  return {
    search: find,
    searchQuery: find,
    fields: async (ctx, { body }) => listFields(await searching(ctx), body),
    listFields: async (ctx, { query }) => listFields(await searching(ctx), fieldsRequest(query)),
    suggest: async (ctx, { body }) => suggest(await searching(ctx), body),
    typeAhead: async (ctx, { body }) => typeAhead(await searching(ctx), body),

    updateDocuments: async ({ db }, { body }) => updateDocuments(db, await service.start(), body),
    waitForDocuments: async (ctx, { body }) => orUnavailable(waitForDocuments(await searching(ctx), body, closing)),

    addHistory: (_ctx, { services, caller, body }) => addHistory(services, caller, body),
    deleteHistory: (_ctx, { services, caller, body }) => deleteHistory(services, caller, body),
    queryHistory: (_ctx, { services, caller, body }) => queryHistory(services, caller, body),

    commandIndex: async (ctx, { body }) => orUnavailable(commandIndex(await searching(ctx), body)),
    listIndexStates: async ({ caller }) => listIndexStates(await service.start(), caller),
    listIndexes: async () => listIndexes(await service.start()),

    async deleteStoredSearch({ db, caller }, { params, status }) {
      await deleteSearch(db, caller, params.id!)
      status(204)
    },
    getStoredSearch: ({ db, caller }, { params }) => loadSearch(db, caller, params.id!),
    listStoredSearches: ({ db, caller }, { query }) => listSearches(db, caller, query),
    async storeSearch({ caller }, { body, status, services }) {
      const stored = await services.database.transaction((db) => storeSearch(db, caller, openFor(caller), body))
      status(201)
      return stored
    },
    changeStoredSearch: ({ caller }, { params, body, services }) =>
      services.database.transaction((db) => changeSearch(db, caller, openFor(caller), params.id!, body)),

    listConfigurations: async (ctx) => listConfigurations(await searching(ctx)),
    putConfiguration: async (ctx, { params, body }) => putConfiguration(await searching(ctx), params.identifier!, body),
    async deleteConfiguration({ db }, { params, status }) {
      await deleteConfiguration(db, params.identifier!)
      status(204)
    },

    serviceVersion: version,
    version,
  }
}

/** Builds the body of the POST route from query parameters. */
function fieldsRequest({ index, showAllowedOperators, fields, language }: Call<undefined>['query']) {
  return {
    index: demandIndex(index, 'index'),
    showAllowedOperators: showAllowedOperators === 'true',
    ...(fields !== undefined && { fields: fields.split(',') }),
    ...(language !== undefined && { language }),
  }
}

/** The date of the installed files: that of the image or package, because nothing is compiled. */
const buildDate = statSync(new URL('../../package.json', import.meta.url)).mtime.toISOString()

function versionOf() {
  const head = timedHead()
  const [majorVersion, minorVersion, patchVersion] = searchVersion.split('.') as [string, string, string]
  return { ...head(), majorVersion, minorVersion, patchVersion, qualifier: 'kontor', buildDate }
}
