/** The PIM data model: attribute definitions, classifications, their nodes, and the attributes of nodes. */
import { flag, needed, type Resource, type Route, whole } from '../endpoint.ts'
import { Pim } from '../schema/envelope.ts'
import { AttributeUsageList, AttributeUsageRequest, ClassificationTree } from '../schema/pim-own.ts'
import {
  Attr,
  AttrDefinition,
  AttrGroup,
  AttrGroupRequest,
  AttributeDefinitionsQueryRequest,
  AttributeDefinitionsRequest,
  AttributesQueryRequest,
  AttributesRequest,
  AttributesRetrieveRequest,
  Classification,
  ClassificationRequest,
  Node,
  NodesQueryRequest,
  NodesRequest,
} from '../schema/pim.ts'

const force = { force: 'true also deletes an object that is in use, and removes its uses.' }

// prettier-ignore
export const modelResources = {
  'attribute-definitions': {
    doc: 'Attribute definitions: the attributes that products can have, and their allowed values.',
    access: 'user', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition',
    query: { request: AttributeDefinitionsQueryRequest, reply: AttributeDefinitionsRequest },
    retrieve: AttributeDefinitionsRequest,
    persist: true, tagged: true,
    perform: { delete: { doc: 'Deletes the definition. Refused while nodes or values use it.', identify: ['tid', 'id'], meta: force } },
    bulk: 'write',
  },
  'attribute-groups': {
    doc: 'Groups of attributes of products: a label per locale, and the order of their attributes. Without identifiers, retrieve returns all of them, in their order.',
    access: 'user', container: 'attrGroups', element: 'attrGroup', item: AttrGroup, dataType: 'attrGroup', own: true,
    retrieve: AttrGroupRequest,
    persist: true, tagged: true,
    perform: { delete: { doc: 'Deletes the group. Its attributes stay, without a group. Refused while a role names the group.', identify: ['tid', 'id'] } },
  },
  classes: {
    doc: 'Classifications: trees of nodes that products are assigned to.',
    access: 'user', container: 'classes', element: 'clazz', item: Classification, dataType: 'classification',
    retrieve: ClassificationRequest,
    persist: true, tagged: true, alongside: { nodes: { item: Node, dataType: 'node' } },
    perform: { delete: { doc: 'Deletes the classification, its nodes and their attributes.', identify: ['tid', 'id'], meta: force } },
    bulk: 'write',
  },
  nodes: {
    doc: 'Classification nodes.',
    access: 'admin', container: 'nodes', element: 'node', item: Node, dataType: 'node', actionTypes: ['classNode'],
    query: { request: NodesQueryRequest, reply: NodesRequest },
    retrieve: NodesRequest,
    persist: true, tagged: true,
    perform: { delete: { doc: 'Deletes the node, everything below it and their attributes.', identify: ['id', 'path'], meta: force } },
    bulk: 'write',
    statuses: { query: [200, 400, 401, 500], retrieve: [200, 400, 401, 403, 500], persist: [200, 400, 401, 403, 500], perform: [200, 400, 401, 500] },
  },
  attributes: {
    doc: 'Attributes on classification nodes, inherited down the tree.',
    access: 'user', container: 'attrs', element: 'attr', item: Attr, dataType: 'attribute',
    query: { request: AttributesQueryRequest, reply: AttributesRequest },
    retrieve: AttributesRetrieveRequest,
    persist: true, tagged: true,
    perform: { delete: { doc: 'Removes the attribute from its node.', identify: ['id'], meta: force } },
    bulk: 'write',
  },
} as const satisfies Record<string, Resource>

// prettier-ignore
export const modelRoutes = {
  listAttributeDefinitions: {
    doc: 'Lists all attribute definitions.', access: 'user', needs: { kind: 'attrDefinition', action: 'read' }, method: 'GET', path: '/attribute-definitions', formats: 'all',
    reply: Pim, statuses: [200, 401, 404, 500],
  },
  listClasses: {
    doc: 'Lists all classifications.', access: 'user', needs: { kind: 'classification', action: 'read' }, method: 'GET', path: '/classes', formats: 'all',
    reply: Pim, statuses: [200, 401, 404, 500],
  },
  listNodeAttributes: {
    doc: 'Lists the attributes of a node. The rest of the URL path is the id or the path of the node.',
    access: 'user', needs: { kind: 'attribute', action: 'read' }, method: 'GET', path: '/attributes/*', formats: 'all',
    query: { includeParentAttributes: flag('true includes inherited attributes.') },
    reply: Pim, statuses: [200, 400, 401, 404, 500],
  },
  classificationTree: {
    doc: 'Lists all classification nodes with their number of products.', access: 'user', needs: { kind: 'node', action: 'read' }, method: 'GET', path: '/classification-tree', formats: 'json', own: true,
    reply: ClassificationTree, statuses: [200, 401],
  },
  attributeUsage: {
    doc: 'Counts the nodes that have an attribute and the products that have a value for it. The call reads all products.', access: 'user', needs: { kind: 'attrDefinition', action: 'read' }, method: 'POST', path: '/attribute-definitions/usage', formats: 'json', own: true,
    request: AttributeUsageRequest, reply: AttributeUsageList, statuses: [200, 400, 401],
  },
  addDomainValue: {
    doc: 'Adds a value to the domain of an attribute that allows new values. Returns the key of the value.',
    access: 'user', needs: { kind: 'attribute', action: 'update' }, method: 'PUT', path: '/attributes/{id}/domain-value', formats: 'json',
    params: { id: whole('Id of the attribute.') }, query: { domainValue: { ...needed('The value to add.'), pattern: '[\\s\\S]' } },
    reply: 'string', statuses: [200, 400, 401, 404],
  },
} as const satisfies Record<string, Route>
