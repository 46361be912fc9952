/** The PEO area: product extension objects, their links to channels, and their templates. */
import { area } from '../endpoint.ts'
import { Items } from '../schema/blocks.ts'
import { Pim } from '../schema/envelope.ts'
import { Peo, PeoQuery, PeoRequest, Template } from '../schema/peo.ts'

// prettier-ignore
export const peo = area({
  base: '/api/core/v1/peo',
  doc: 'Product extension objects: values of a product that differ for one channel.',
  resources: {
    peos: {
      doc: 'Product extension objects.',
      access: 'user', container: 'peos', element: 'peo', item: Peo, dataType: 'peo',
      query: { request: PeoQuery, reply: PeoRequest },
      retrieve: PeoRequest,
      persist: true,
      perform: {
        delete: { doc: 'Deletes the object and its links.', identify: ['tid', 'id'] },
        copy:   { doc: 'Copies the object with its values and its links to channels.', identify: ['tid', 'id'],
                  meta: { name: 'Name of the copy. Required. Alias: newPeoName.', newPeoTid: 'Tid of the copy. Default: generated.' } },
      },
      bulk: 'write',
    },
    'peos/links': {
      doc: 'Links between product extension objects and channels.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link', actionTypes: ['peoToProjectLink'],
      persist: true,
      perform: {
        unlink: { doc: 'Removes the link between an object and a channel.', identify: [],
                  meta: { peoTid: 'Or peoId.', projectTid: 'Or projectId. Use ids for both or tids for both.' } },
      },
    },
    'peos/values': {
      doc: 'Effective values: the values of the product, overridden by the values of the object as the template defines.',
      access: 'user', container: 'peos', element: 'peo', item: Peo, dataType: 'peo', own: true,
      retrieve: PeoRequest,
    },
    'admin/templates': {
      doc: 'Templates. A meta item attribute.<tid> sets the mode of an attribute: inherited, overridden or hidden, optionally followed by required (overridden,required). A template without such items has all attributes of the product.',
      access: 'admin', container: 'templates', element: 'template', item: Template, dataType: 'template', own: true,
      persist: true,
    },
  },
  routes: {
    listPeos: {
      doc: 'Lists product extension objects by name. Deprecated: use query and retrieve. An empty request returns all objects.',
      access: 'user', needs: { kind: 'peo', action: 'read' }, method: 'POST', path: '/peos', formats: 'all',
      request: PeoRequest, requestOptional: true, reply: Pim, statuses: [200, 400, 401, 404, 500],
      deprecated: { since: '2024-01-01', sunset: '2027-12-31' },
    },
    listTemplates: {
      doc: 'Lists all templates.',
      access: 'user', needs: { kind: 'peo', action: 'read' }, method: 'GET', path: '/templates', formats: 'all', own: true,
      reply: Pim, statuses: [200, 401, 500],
    },
  },
})
