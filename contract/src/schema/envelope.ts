/**
 * The envelope: the root of every Core message, with one container per kind of object; the actions, deletions and
 * results that it can contain; and the error envelope, the reply to a failed call.
 */
import { Details, Item, Items, Links, Meta, Option, Params, ProductPreviewRefs, statuses } from './blocks.ts'
import { ProjectDefs, Projects } from './cm.ts'
import { Glossaries, GlossaryEntries, Kwds, Locales } from './common.ts'
import { AssetDefs, Assets, Dirs, Rncs, Variations, VariationTypes, Versions } from './dam.ts'
import { attr, child, children, leaf, oneOf, required, type } from './describe.ts'
import { Peos, Templates } from './peo.ts'
import { AttrDefs, AttrGroups, Attrs, Classes, Nodes, Products, TagDefs } from './pim.ts'
import { actionTypes, deletionTypes } from './words.ts'

/** The version of the message schema in replies. Requests may use any dotted numeric version. */
export const schemaVersion = '5.6.0'
export const schemaVersionPattern = '^[0-9]+(\\.[0-9]+)*$'

export const Deletion = type('deletion', 'The record of a deleted object.', {
  option: children(() => Option),
  dataType: oneOf(attr('string', 'The type of the object.'), deletionTypes),
  tid: attr('string'),
})
export const Deletions = type('deletions', 'Deletion records.', { deletion: children(() => Deletion) })

export const Action = type('action', 'An action on the object that tid, id or path identifies.', {
  meta: child(() => Meta, 'The parameters of the action.'),
  dataType: required(oneOf(attr('string', 'Kind of object.'), actionTypes)),
  type: required(attr('string', 'Name of the action, for example delete, move or copy.')),
  tid: attr('string'),
  id: attr('long'),
  path: attr('string'),
})
export const Actions = type('actions', 'Actions, executed one by one in the given order.', {
  action: children(() => Action),
})

export const ResponseRecord = type('responseRecord', 'The result of one item of a request.', {
  status: leaf(statuses),
  description: leaf('string', 'A message for people. Clients must not depend on its wording.'),
  details: child(
    () => Details,
    'For a refused item: the error code, and errors of attribute values (key attribute.TITLE for the attribute TITLE). Our addition: reason and parameter.NAME, or reason.TITLE and parameter.TITLE.NAME, where the refusal has a reason; for a stored item, warning.TITLE, with its reason, if a value has a forbidden word of a glossary that warns, or lacks one of its terms.',
  ),
  action: attr('string', 'The action that was performed, for example create, update, persist or delete.'),
  dataType: attr('string', 'Kind of object.'),
  id: attr('long'),
  path: attr('string'),
  tid: attr('string'),
})
export const Responses = type('responses', 'One result per item of the request, in the same order.', {
  response: children(() => ResponseRecord),
})

export const Pim = type('pim', 'The envelope of every message.', {
  schemaVersion: required(attr('string', 'Version of the message schema: numbers separated by dots.')),
  meta: child(() => Meta, 'messageType, messageTime, sourceEnv, …'),
  locales: child(() => Locales),
  links: child(() => Links),
  tagDefs: child(() => TagDefs),
  rncs: child(() => Rncs),
  versions: child(() => Versions),
  variations: child(() => Variations),
  variationTypes: child(() => VariationTypes),
  assets: child(() => Assets),
  dirs: child(() => Dirs),
  kwds: child(() => Kwds),
  glossaries: child(() => Glossaries),
  glossaryEntries: child(() => GlossaryEntries),
  attrDefs: child(() => AttrDefs),
  assetDefs: child(() => AssetDefs),
  productPreviewRefs: child(() => ProductPreviewRefs),
  classes: child(() => Classes),
  products: child(() => Products),
  projectDefs: child(() => ProjectDefs),
  projects: child(() => Projects),
  templates: child(() => Templates),
  peos: child(() => Peos),
  deletions: child(() => Deletions),
  responses: child(() => Responses),
  actions: child(() => Actions),
  nodes: child(() => Nodes),
  attrs: child(() => Attrs),
  params: child(() => Params),
  attrGroups: child(() => AttrGroups, 'Kontor extension.'),
})

export const Issues = type(
  'issues',
  'One issue: the items code and description, and a group details with errorMessage. Our addition: reason and parameter.NAME in the details, where the refusal has a reason.',
  {
    itm: children(() => Item),
    itms: children(() => Items),
  },
)

export const ErrorResponse = type('response', 'The reply to a failed call.', {
  details: child(() => Details, 'supportId: quote it in support requests.'),
  issues: children(() => Issues),
  status: leaf(statuses),
})
