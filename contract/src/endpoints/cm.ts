/** The CM area: channels (called projects in messages) and channel types. */
import { area } from '../endpoint.ts'
import {
  ChannelBriefing,
  ChannelBriefingRequest,
  ChannelQuery,
  ChannelRequest,
  PatchBriefing,
  Project,
  ProjectDefinition,
} from '../schema/cm.ts'
import {
  BriefingList,
  ChannelCountList,
  ChannelQualityChange,
  ChannelQualityList,
  ChannelRequirementChange,
  ChannelRequirementList,
  ChannelsRequest,
  ProductQualityList,
  QualityRequest,
  ReadinessHistory,
  ReadinessHistoryRequest,
  ReadinessList,
  ReadinessRequest,
  WhereUsed,
  WhereUsedRequest,
} from '../schema/cm-own.ts'
import { Pim } from '../schema/envelope.ts'

// prettier-ignore
export const cm = area({
  base: '/api/core/v1/cm',
  doc: 'Channels: the outputs in which products appear, and their planning.',
  resources: {
    channels: {
      doc: 'Channels: a tree of outputs such as catalogues, web shops and marketplaces.',
      access: 'user', container: 'projects', element: 'project', item: Project, dataType: 'project',
      query: { request: ChannelQuery, reply: ChannelRequest },
      retrieve: ChannelRequest,
      persist: true,
      bulk: 'write',
      statuses: { retrieve: [200, 400, 401, 403, 404, 500] },
    },
    'channels/actions': {
      doc: 'Actions on channels.',
      access: 'user', container: 'projects', element: 'project', item: Project, dataType: 'project', own: true,
      perform: {
        delete: { doc: 'Deletes the channel. Refused if it has child channels or linked objects.', identify: ['tid', 'id'],
                  meta: { force: 'true also deletes all channels below it and all links.' } },
      },
    },
    'admin/channel-types': {
      doc: 'Channel types: their names, attribute definitions and configuration. attrDefs merges into the stored definitions by tid; with type full it replaces them.',
      access: 'admin', container: 'projectDefs', element: 'projectDef', item: ProjectDefinition, dataType: 'projectTypes', own: true,
      persist: true,
    },
  },
  routes: {
    retrieveBriefing: {
      doc: 'Returns the briefing of one channel: layouts with boxes, their positions and sizes. The XML document does not use the message namespace.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/briefings/retrieve', formats: 'all',
      request: ChannelBriefingRequest, reply: PatchBriefing, statuses: [200, 400, 401, 404, 500],
    },
    persistBriefing: {
      doc: 'Stores the briefing of a channel for a configuration and a locale, replacing the current one. A briefing without a locale applies to every locale that has no briefing of its own.',
      access: 'user', needs: { kind: 'project', action: 'update' }, method: 'POST', path: '/channels/briefings/persist', formats: 'all', own: true,
      request: ChannelBriefing, reply: Pim, statuses: [200, 400, 401, 404, 500],
    },
    listBriefings: {
      doc: 'Lists all briefings of one channel. The list is empty if there are none.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/briefings/list', formats: 'json', own: true,
      request: ChannelsRequest, reply: BriefingList, statuses: [200, 400, 401, 404, 500],
    },
    countProducts: {
      doc: 'Counts the products of channels that you may read.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/products/count', formats: 'json', own: true,
      request: ChannelsRequest, reply: ChannelCountList, statuses: [200, 400, 401, 404, 500],
    },
    retrieveRequirements: {
      doc: 'Returns the locales and attributes that channels require.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/requirements/retrieve', formats: 'json', own: true,
      request: ChannelsRequest, reply: ChannelRequirementList, statuses: [200, 400, 401, 404, 500],
    },
    persistRequirement: {
      doc: 'Stores the locales and attributes that a channel requires. Its readiness counts only these.',
      access: 'user', needs: { kind: 'project', action: 'update' }, method: 'POST', path: '/channels/requirements/persist', formats: 'json', own: true,
      request: ChannelRequirementChange, reply: Pim, statuses: [200, 400, 401, 404, 500],
    },
    retrieveChannelQuality: {
      doc: 'Returns the checks of quality that count in channels.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/quality/retrieve', formats: 'json', own: true,
      request: ChannelsRequest, reply: ChannelQualityList, statuses: [200, 400, 401, 404, 500],
    },
    persistChannelQuality: {
      doc: 'Stores the checks of quality that count in a channel, with their limits.',
      access: 'user', needs: { kind: 'project', action: 'update' }, method: 'POST', path: '/channels/quality/persist', formats: 'json', own: true,
      request: ChannelQualityChange, reply: Pim, statuses: [200, 400, 401, 404, 500],
    },
    retrieveQuality: {
      doc: 'Computes the quality of products in their channels, per locale: a score, and check by check what is wrong, where, and what to do. Only attributes, locales, channels, pictures and other products that you may see count.',
      access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/quality/retrieve', formats: 'json', own: true,
      request: QualityRequest, reply: ProductQualityList, statuses: [200, 400, 401, 404, 500],
    },
    retrieveReadinessHistory: {
      doc: 'Returns the readiness of channels on past days, one number per day and locale. The numbers count all products, so they are only for callers who may read every product with all its attributes.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/readiness/history', formats: 'json', own: true,
      request: ReadinessHistoryRequest, reply: ReadinessHistory, statuses: [200, 400, 401, 404, 500],
    },
    retrieveReadiness: {
      doc: 'Counts and lists missing required values by channel and locale. Each channel counts the locales and attributes that it requires. Without such a requirement, these are all content locales, and the values that templates of product extension objects and classification nodes of products require.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/readiness/retrieve', formats: 'json', own: true,
      request: ReadinessRequest, reply: ReadinessList, statuses: [200, 400, 401, 404, 500],
    },
    retrieveWhereUsed: {
      doc: 'Lists the objects that use the given objects: linked objects in both directions, product extension objects of products, and objects created from templates.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/where-used/retrieve', formats: 'json', own: true,
      request: WhereUsedRequest, reply: WhereUsed, statuses: [200, 400, 401, 404, 500],
    },
    listChannelTypes: {
      doc: 'Lists all channel types with their attribute definitions.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'GET', path: '/channels/types', formats: 'all', own: true,
      reply: Pim, statuses: [200, 401, 500],
    },
  },
})
