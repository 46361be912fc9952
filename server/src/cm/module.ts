/** The CM area: which handlers answer which part of the contract. */
import { cm as contract } from '@kontor/contract'
import type { Target, Targets } from '../common/api.ts'
import type { ResourceHandlers } from '../core/handlers.ts'
import type { RouteHandlers } from '../core/routes.ts'
import type { ProductViews } from '../pim/api.ts'
import { mountBriefings, persistBriefing } from './briefings/briefings.ts'
import { deleteChannels } from './channels/channels.delete.ts'
import { channelDocuments, placeDocuments } from './channels/channels.documents.ts'
import { channels, channelTarget } from './channels/channels.ts'
import { retrieveReadiness } from './readiness/readiness.ts'
import { listChannelTypes, typeAdmin } from './types/types.ts'
import { retrieveWhereUsed } from './where-used/where-used.ts'

export interface CmNeeds {
  /** What can be linked to channels. */
  readonly targets: Targets
  /** What products say and must say. */
  readonly products: ProductViews
}

/** What can be linked to of this area. */
export const cmTargets: readonly [string, Target][] = [['project', channelTarget]]

export function cm({ targets, products }: CmNeeds) {
  const resources: ResourceHandlers<typeof contract.resources> = {
    channels: channels({ targets }),
    'channels/actions': { perform: { delete: deleteChannels } },
    'admin/channel-types': typeAdmin,
  }
  const routes: RouteHandlers<Omit<typeof contract.routes, 'retrieveBriefing'>> = {
    listChannelTypes,
    persistBriefing,
    retrieveReadiness: retrieveReadiness(products),
    retrieveWhereUsed: retrieveWhereUsed(targets),
  }
  const documents = [channelDocuments, placeDocuments(targets)]
  return { contract, resources, routes, plugin: mountBriefings, documents }
}
