/** The CM area: channels (called projects in messages) and their kinds. */
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
import { ReadinessList, ReadinessRequest, WhereUsed, WhereUsedRequest } from '../schema/cm-own.ts'
import { Pim } from '../schema/envelope.ts'

// prettier-ignore
export const cm = area({
  base: '/api/core/v1/cm',
  doc: 'Channels: where products appear, and what is planned there.',
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
      doc: 'What can be done to channels besides changing them.',
      access: 'user', container: 'projects', element: 'project', item: Project, dataType: 'project', own: true,
      perform: {
        delete: { doc: 'Removes the channel. One with channels below it, or that something is linked to, is refused.', identify: ['tid', 'id'],
                  meta: { force: 'true removes all channels below it and all links too.' } },
      },
    },
    'admin/channel-types': {
      doc: 'Creates or changes kinds of channels: their names, attribute definitions and configuration. attrDefs adds to the definitions by tid; with type full it replaces them.',
      access: 'admin', container: 'projectDefs', element: 'projectDef', item: ProjectDefinition, dataType: 'projectTypes', own: true,
      persist: true,
    },
  },
  routes: {
    retrieveBriefing: {
      doc: 'The briefing of one channel: layouts with boxes, their positions and sizes. In XML the document is bare, without the namespace of messages.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/channels/briefings/retrieve', formats: 'all',
      request: ChannelBriefingRequest, reply: PatchBriefing, statuses: [200, 400, 401, 404, 500],
    },
    persistBriefing: {
      doc: 'Stores the briefing of a channel for a configuration and a locale, in place of the present one. Without a locale it holds for those that have none of their own.',
      access: 'user', needs: { kind: 'project', action: 'update' }, method: 'POST', path: '/channels/briefings/persist', formats: 'all', own: true,
      request: ChannelBriefing, reply: Pim, statuses: [200, 400, 401, 404, 500],
    },
    retrieveReadiness: {
      doc: 'Which required values are missing, by channel and locale: a number and a list. What is required is said by the templates of product extension objects and by the classification nodes of products.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'POST', path: '/readiness/retrieve', formats: 'json', own: true,
      request: ReadinessRequest, reply: ReadinessList, statuses: [200, 400, 401, 404, 500],
    },
    retrieveWhereUsed: {
      doc: 'Which objects use others: by links from either end, product extension objects of products, and those made by templates.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/where-used/retrieve', formats: 'json', own: true,
      request: WhereUsedRequest, reply: WhereUsed, statuses: [200, 400, 401, 404, 500],
    },
    listChannelTypes: {
      doc: 'All kinds of channels with their attribute definitions.',
      access: 'user', needs: { kind: 'project', action: 'read' }, method: 'GET', path: '/channels/types', formats: 'all', own: true,
      reply: Pim, statuses: [200, 401, 500],
    },
  },
})
