/** The PIM model: attribute definitions, classifications, their nodes, and the attributes nodes give to products. */
import type { Resource, Route } from '../endpoint.ts'
import { Pim } from '../schema/envelope.ts'
import { AttributeUsageList, AttributeUsageRequest, ClassificationTree } from '../schema/pim-own.ts'
import {
  Attr,
  AttrDefinition,
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

const force = { force: 'true deletes also what is in use, and removes its uses.' }

// prettier-ignore
export const modelResources = {
  'attribute-definitions': {
    doc: 'Attribute definitions: what can be said of a product, and what values it takes.',
    access: 'user', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition',
    query: { request: AttributeDefinitionsQueryRequest, reply: AttributeDefinitionsRequest },
    retrieve: AttributeDefinitionsRequest,
    persist: true,
    perform: { delete: { doc: 'Removes the definition; refused while nodes or values use it.', identify: ['tid', 'id'], meta: force } },
    bulk: 'write',
  },
  classes: {
    doc: 'Classifications: trees of nodes that products are sorted into.',
    access: 'user', container: 'classes', element: 'clazz', item: Classification, dataType: 'classification',
    retrieve: ClassificationRequest,
    persist: true, alongside: { nodes: { item: Node, dataType: 'node' } },
    perform: { delete: { doc: 'Removes the classification, its nodes and their attributes.', identify: ['tid', 'id'], meta: force } },
    bulk: 'write',
  },
  nodes: {
    doc: 'Classification nodes.',
    access: 'admin', container: 'nodes', element: 'node', item: Node, dataType: 'node', actionTypes: ['classNode'],
    query: { request: NodesQueryRequest, reply: NodesRequest },
    retrieve: NodesRequest,
    persist: true,
    perform: { delete: { doc: 'Removes the node, everything below it and their attributes.', identify: ['id', 'path'], meta: force } },
    bulk: 'write',
    statuses: { query: [200, 400, 401, 500], retrieve: [200, 400, 401, 403, 500], persist: [200, 400, 401, 403, 500], perform: [200, 400, 401, 500] },
  },
  attributes: {
    doc: 'Attributes on classification nodes, inherited down the tree.',
    access: 'user', container: 'attrs', element: 'attr', item: Attr, dataType: 'attribute',
    query: { request: AttributesQueryRequest, reply: AttributesRequest },
    retrieve: AttributesRetrieveRequest,
    persist: true,
    perform: { delete: { doc: 'Removes the attribute from its node.', identify: ['id'], meta: force } },
    bulk: 'write',
  },
} as const satisfies Record<string, Resource>

// prettier-ignore
export const modelRoutes = {
  listAttributeDefinitions: {
    doc: 'All attribute definitions.', access: 'user', needs: { kind: 'attrDefinition', action: 'read' }, method: 'GET', path: '/attribute-definitions', formats: 'all',
    reply: Pim, statuses: [200, 401, 404, 500],
  },
  listClasses: {
    doc: 'All classifications.', access: 'user', needs: { kind: 'classification', action: 'read' }, method: 'GET', path: '/classes', formats: 'all',
    reply: Pim, statuses: [200, 401, 404, 500],
  },
  listNodeAttributes: {
    doc: 'The attributes of a node, by its id or path (the rest of the address).',
    access: 'user', needs: { kind: 'attribute', action: 'read' }, method: 'GET', path: '/attributes/*', formats: 'all',
    query: { includeParentAttributes: 'true adds what the node inherits.' },
    reply: Pim, statuses: [200, 400, 401, 404, 500],
  },
  classificationTree: {
    doc: 'All classification nodes with how many products are in them.', access: 'user', needs: { kind: 'node', action: 'read' }, method: 'GET', path: '/classification-tree', formats: 'json', own: true,
    reply: ClassificationTree, statuses: [200, 401],
  },
  attributeUsage: {
    doc: 'How many nodes have an attribute, and how many products a value of it. Reads all products.', access: 'user', needs: { kind: 'attrDefinition', action: 'read' }, method: 'POST', path: '/attribute-definitions/usage', formats: 'json', own: true,
    request: AttributeUsageRequest, reply: AttributeUsageList, statuses: [200, 400, 401],
  },
  addDomainValue: {
    doc: 'Adds a value to the list of an attribute that allows new values; the reply is its key.',
    access: 'user', needs: { kind: 'attribute', action: 'update' }, method: 'PUT', path: '/attributes/{id}/domain-value', formats: 'json',
    query: { domainValue: 'The value to add; required.' },
    reply: 'string', statuses: [200, 400, 401, 404],
  },
} as const satisfies Record<string, Route>
