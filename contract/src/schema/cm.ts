/** The CM area: channels (called projects in messages) and briefings, and the requests that select them. */
import { Config, Links, Meta, Name, Vals } from './blocks.ts'
import { attr, child, children, deprecated, leaf, leaves, text, type } from './describe.ts'
import { Peo, Peos } from './peo.ts'
import { AttrDefs } from './pim.ts'

// Messages

export const PeoHierarchy = type('peoHierarchy', 'Product extension objects of a channel, nested, in display order.', {
  peo: children(() => Peo),
})

export const Project = type('project', 'A channel. Without a parent it is a root channel.', {
  name: leaf('string', 'Unique within the parent. Required to create.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  links: child(() => Links, 'Linked assets and directories: the key is a tid, the text a path.'),
  peos: child(() => Peos),
  peoHierarchy: child(() => PeoHierarchy),
  id: attr('long'),
  tid: attr('string', 'Required to create.'),
  parentId: attr('long'),
  parentTid: attr('string'),
  type: attr('string', 'Kind of channel, for example Catalogue. Required to create.'),
  orderSequence: attr('long', 'Order among channels of the same parent; sparse.'),
})
export const Projects = type('projects', 'Channels.', { project: children(() => Project) })

export const ProjectDefinition = type('projectDef', 'Which attributes a kind of channel has; tid says which kind.', {
  name: child(() => Name),
  meta: child(() => Meta),
  attrDefs: child(() => AttrDefs),
  config: child(() => Config),
  tid: attr('string'),
})
export const ProjectDefs = type('projectDefs', 'Project definitions.', {
  projectDef: children(() => ProjectDefinition),
  mode: attr('string'),
})

// Requests

export const linkedAssetsBehaviors = ['direct', 'withChildren', 'withDescendants'] as const

export const ChannelRequest = type('channelRequest', 'Channels by identifier, and how much of them.', {
  tids: leaves('string', 'Win over ids when both are sent.'),
  ids: leaves('long'),
  includePeoHierarchy: leaf('boolean', 'Default false.'),
  retrieveLinkedAssets: leaf('boolean', 'Default false.'),
  retrieveLinkedAssetsBehavior: leaf(linkedAssetsBehaviors, 'Whose linked assets: of the channel or also below it.'),
})

export const ChannelQuery = type('channelQuery', 'Search for a channel and those below it.', {
  tid: leaf('string', 'Wins over id when both are sent.'),
  id: leaf('long'),
  withChildren: deprecated(leaf('boolean', 'Use level. Default true; false ignores level.')),
  level: leaf('integer', 'Levels below the channel; 0 returns only the channel. Default 100.'),
  root: leaf('boolean', 'true returns all root channels and ignores every other field.'),
})

export const BriefingInfo = type('briefingInfo', 'Which briefing of a channel.', {
  locale: leaf('string', 'Locale of the texts, for example en_GB.'),
  briefingModuleCfgTid: leaf('string', 'Identifier of the briefing configuration.'),
})

export const ChannelBriefingRequest = type('channelBriefingRequest', 'The briefing of exactly one channel.', {
  tids: leaves('string'),
  ids: leaves('long'),
  briefingInfo: child(() => BriefingInfo),
})

// The reply of a briefing request: an XML document of its own, without the namespace of the messages.

export const BriefingAttribute = type('briefingAttribute', 'A measure of a layout or of a box.', {
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

export const ChannelBriefing = type('channelBriefing', 'A briefing to be stored. Without layouts it is removed.', {
  briefingInfo: child(() => BriefingInfo),
  layout: children(() => Layout),
  tid: attr('string', 'The channel. Wins over id when both are sent.'),
  id: attr('long'),
})

export const PatchBriefing = type('patch-briefing', 'A briefing: layouts with boxes, their positions and sizes.', {
  layout: children(() => Layout),
})
