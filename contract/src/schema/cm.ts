/** The CM area: channels (called projects in messages) and briefings, and the requests that select them. */
import { Config, Links, Meta, Name, Vals } from './blocks.ts'
import { attr, child, children, deprecated, expects, leaf, leaves, text, type, needsOneOf } from './describe.ts'
import { Peo, Peos } from './peo.ts'
import { AttrDefs } from './pim.ts'

// Messages

export const PeoHierarchy = type(
  'peoHierarchy',
  'The hierarchy of product extension objects of a channel, in display order.',
  {
    peo: children(() => Peo),
  },
)

export const Project = type('project', 'A channel. Without a parent it is a root channel.', {
  name: leaf('string', 'Unique within the parent. Required for new channels.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  links: child(() => Links, 'Linked assets and directories. The key is a tid, the text is a path.'),
  peos: child(() => Peos),
  peoHierarchy: child(() => PeoHierarchy),
  id: attr('long'),
  tid: attr('string', 'Required for new channels.'),
  parentId: attr('long'),
  parentTid: attr('string'),
  type: attr('string', 'Channel type, for example Catalogue. Required for new channels.'),
  orderSequence: attr('long', 'Order among channels of the same parent, with gaps.'),
})
export const Projects = type('projects', 'Channels.', { project: children(() => Project) })

export const ProjectDefinition = type('projectDef', 'A channel type and its attributes, identified by tid.', {
  name: child(() => Name),
  meta: child(() => Meta),
  attrDefs: child(() => AttrDefs),
  config: child(() => Config),
  tid: attr('string'),
})
export const ProjectDefs = type('projectDefs', 'Channel types.', {
  projectDef: children(() => ProjectDefinition),
  mode: attr('string'),
})

// Requests

const linkedAssetsBehaviors = ['direct', 'withChildren', 'withDescendants'] as const

export const ChannelRequest = needsOneOf(
  type('channelRequest', 'Channels by identifier, and the parts to return.', {
    tids: leaves('string', 'Take precedence over ids.'),
    ids: leaves('long'),
    includePeoHierarchy: leaf('boolean', 'Default false.'),
    retrieveLinkedAssets: leaf('boolean', 'Default false.'),
    retrieveLinkedAssetsBehavior: leaf(
      linkedAssetsBehaviors,
      'Whether to return linked assets of the channel only, or also of channels below it.',
    ),
  }),
  'tids',
  'ids',
)

export const ChannelQuery = needsOneOf(
  type('channelQuery', 'A query for a channel and the channels below it.', {
    tid: leaf('string', 'Takes precedence over id.'),
    id: leaf('long'),
    withChildren: deprecated(leaf('boolean', 'Use level. Default true; false ignores level.')),
    level: expects(leaf('integer', 'Number of levels below the channel. 0 returns only the channel. Default 100.'), 0),
    root: leaf('boolean', 'true returns all root channels and ignores every other field.'),
  }),
  'tid',
  'id',
  'root',
)

export const BriefingInfo = type('briefingInfo', 'Selects a briefing of a channel.', {
  locale: leaf('string', 'Locale of the texts, for example en_GB.'),
  briefingModuleCfgTid: leaf('string', 'Identifier of the briefing configuration.'),
})

export const ChannelBriefingRequest = needsOneOf(
  type('channelBriefingRequest', 'Selects the briefing of exactly one channel.', {
    tids: expects(leaves('string'), 0, 1),
    ids: expects(leaves('long'), 0, 1),
    briefingInfo: child(() => BriefingInfo),
  }),
  'tids',
  'ids',
)

// The reply to a briefing request: a separate XML document that does not use the message namespace.

export const BriefingAttribute = type('briefingAttribute', 'A measurement of a layout or a box.', {
  value: text(),
  identifier: attr('string', 'width, height, xpos, ypos, zpos, content_width, …'),
})

export const Box = type('box', 'A box on a page.', {
  attribute: children(() => BriefingAttribute),
  id: attr('string'),
  layer: attr('string'),
  name: attr('string'),
  type: attr('string'),
})
export const Boxes = type('boxes', 'The boxes of a layout.', { box: children(() => Box) })

export const Layout = type('layout', 'A page or spread with its size and boxes.', {
  attribute: children(() => BriefingAttribute),
  seitenbriefing: leaf('string', 'The page briefing.'),
  boxes: child(() => Boxes),
  id: attr('string'),
  name: attr('string'),
})

export const ChannelBriefing = needsOneOf(
  type('channelBriefing', 'A briefing to store. A briefing without layouts is deleted.', {
    briefingInfo: child(() => BriefingInfo),
    layout: children(() => Layout),
    tid: attr('string', 'The channel. Takes precedence over id.'),
    id: attr('long'),
  }),
  'tid',
  'id',
)

export const PatchBriefing = type('patch-briefing', 'A briefing: layouts with boxes, their positions and sizes.', {
  layout: children(() => Layout),
})
