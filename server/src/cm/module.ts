/** The CM area: which handlers answer which part of the contract. */
import { cm as contract } from '@kontor/contract'
import type { Target, Targets } from '../common/api.ts'
import type { ResourceHandlers } from '../core/handlers.ts'
import type { RouteHandlers } from '../core/routes.ts'
import { mountBriefings, persistBriefing } from './briefings/briefings.ts'
import { channels, channelTarget } from './channels/channels.ts'
import { listChannelTypes, typeAdmin } from './types/types.ts'

export interface CmNeeds {
  /** What can be linked to channels. */
  readonly targets: Targets
}

/** What can be linked to of this area. */
export const cmTargets: readonly [string, Target][] = [['project', channelTarget]]

export function cm({ targets }: CmNeeds) {
  const resources: ResourceHandlers<typeof contract.resources> = {
    channels: channels({ targets }),
    'admin/channel-types': typeAdmin,
  }
  const routes: RouteHandlers<Omit<typeof contract.routes, 'retrieveBriefing'>> = { listChannelTypes, persistBriefing }
  return { contract, resources, routes, plugin: mountBriefings }
}
