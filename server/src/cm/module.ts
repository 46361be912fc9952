/** The CM area: which handlers answer which part of the contract. */
import { cm as contract } from '@kontor/contract'
import type { AreaUses, Target, Targets, Usage } from '../common/api.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import type { ProductViews } from '../pim/api.ts'
import { listBriefings, mountBriefings, persistBriefing } from './channels/briefings/briefings.ts'
import { deleteChannels } from './channels/channels.delete.ts'
import { channelDocuments } from './channels/channels.documents.ts'
import { placementDocuments, type PlacementNeeds } from './placements/placements.documents.ts'
import { channels, channelTarget } from './channels/channels.ts'
import { countProducts } from './channels/counts.ts'
import { usersOfChannels, usersOfTypes } from './channels/channels.sql.ts'
import { retrieveQuality } from './quality/quality.ts'
import { persistChannelQuality, retrieveChannelQuality } from './quality/settings.ts'
import { retrieveReadinessHistory } from './readiness/history.ts'
import { retrieveReadiness } from './readiness/readiness.ts'
import { persistRequirement, retrieveRequirements } from './requirements/requirements.ts'
import { describeTypes } from './channels/types/types.sql.ts'
import { listChannelTypes, typeAdmin } from './channels/types/types.ts'
import { retrieveWhereUsed } from './where-used/where-used.ts'

interface CmNeeds {
  /** Kinds of objects that can be linked to channels. */
  readonly targets: Targets
  /** Finds the uses of objects. */
  readonly usage: Usage
  /** Values and requirements of products. */
  readonly productViews: ProductViews
}

/** The link targets of this area. */
export const cmTargets: readonly [string, Target][] = [['project', channelTarget]]

/** Uses between objects of this and other areas. */
export const cmUses: AreaUses = {
  kinds: [['projectTypes', { describe: describeTypes, like: 'project' }]],
  uses: [
    ['project', usersOfChannels],
    ['projectTypes', usersOfTypes],
  ],
}

/** The search documents of this area. */
export const cmDocuments = (needs: PlacementNeeds) => [channelDocuments, placementDocuments(needs)]

export function cm({ targets, usage, productViews }: CmNeeds) {
  const resources: ResourceHandlers<typeof contract.resources> = {
    channels: channels({ targets }),
    'channels/actions': { perform: { delete: deleteChannels } },
    'admin/channel-types': typeAdmin,
  }
  const routes: RouteHandlers<Omit<typeof contract.routes, 'retrieveBriefing'>> = {
    listChannelTypes,
    listBriefings,
    persistBriefing,
    countProducts,
    retrieveRequirements,
    persistRequirement,
    retrieveChannelQuality,
    persistChannelQuality,
    retrieveQuality: retrieveQuality(productViews),
    retrieveReadinessHistory,
    retrieveReadiness: retrieveReadiness(productViews),
    retrieveWhereUsed: retrieveWhereUsed(usage),
  }
  return { contract, resources, routes, plugin: mountBriefings }
}
