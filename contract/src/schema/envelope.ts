/**
 * The envelope: the root of every Core message, with one container per kind of object; the actions, deletions and
 * results it can carry; and the error envelope, the root of a failed call.
 */
import { Details, Item, Items, Links, Meta, Option, Params, ProductPreviewRefs, statuses } from './blocks.ts'
import { ProjectDefs, Projects } from './cm.ts'
import { Glossaries, GlossaryEntries, Kwds, Locales } from './common.ts'
import { AssetDefs, Assets, Dirs, Rncs, Variations, VariationTypes, Versions } from './dam.ts'
import { attr, child, children, leaf, oneOf, required, type } from './describe.ts'
import { Peos, Templates } from './peo.ts'
import { AttrDefs, Attrs, Classes, Nodes, Products, TagDefs } from './pim.ts'
import { actionTypes, deletionTypes } from './words.ts'

/** The version of the message schema that replies carry. Requests may name any dotted numeric version. */
export const schemaVersion = '5.6.0'

export const Deletion = type('deletion', 'A record that an object was deleted.', {
  option: children(() => Option),
  dataType: oneOf(attr('string', 'The type of the object.'), deletionTypes),
  tid: attr('string'),
})
export const Deletions = type('deletions', 'Deletion records.', { deletion: children(() => Deletion) })

export const Action = type('action', 'An action to execute on the object that tid, id or path identify.', {
  meta: child(() => Meta, 'The parameters of the action.'),
  dataType: required(oneOf(attr('string', 'The type of the object.'), actionTypes)),
  type: required(attr('string', 'What to do, for example delete, move or copy.')),
  tid: attr('string'),
  id: attr('long'),
  path: attr('string'),
})
export const Actions = type('actions', 'Actions, executed one by one in the order given.', {
  action: children(() => Action),
})

export const ResponseRecord = type('responseRecord', 'The result of one item of a request.', {
  status: leaf(statuses),
  description: leaf('string', 'For people; nothing should depend on its wording.'),
  details: child(
    () => Details,
    'Of a refusal: its code, and as attribute.TITLE what is wrong with the value of TITLE.',
  ),
  action: attr('string', 'What was done, for example create, update, persist or delete.'),
  dataType: attr('string', 'Kind of object.'),
  id: attr('long'),
  path: attr('string'),
  tid: attr('string'),
})
export const Responses = type('responses', 'One result per item of the request, in its order.', {
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
})

export const Issues = type('issues', 'One issue: items code and description, a group details with errorMessage.', {
  itm: children(() => Item),
  itms: children(() => Items),
})

export const ErrorResponse = type('response', 'The reply of a failed call.', {
  details: child(() => Details, 'supportId: quote it when asking for help.'),
  issues: children(() => Issues),
  status: leaf(statuses),
})
