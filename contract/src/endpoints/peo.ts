/** The PEO area: product extension objects, their links to channels, and their templates. */
import { area } from '../endpoint.ts'
import { Items } from '../schema/blocks.ts'
import { Pim } from '../schema/envelope.ts'
import { Peo, PeoQuery, PeoRequest, Template } from '../schema/peo.ts'

// prettier-ignore
export const peo = area({
  base: '/api/core/v1/peo',
  doc: 'Product extension objects: what differs of products for one output.',
  resources: {
    peos: {
      doc: 'Product extension objects.',
      access: 'user', container: 'peos', element: 'peo', item: Peo, dataType: 'peo',
      query: { request: PeoQuery, reply: PeoRequest },
      retrieve: PeoRequest,
      persist: true,
      perform: {
        delete: { doc: 'Removes the object and its links.', identify: ['tid', 'id'] },
        copy:   { doc: 'Copies the object with its values and its links to channels.', identify: ['tid', 'id'],
                  meta: { name: 'Name of the copy; required. Alias: newPeoName.', newPeoTid: 'Tid of the copy; one is assigned when absent.' } },
      },
      bulk: 'write',
    },
    'peos/links': {
      doc: 'Links between product extension objects and channels.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link', actionTypes: ['peoToProjectLink'],
      persist: true,
      perform: {
        unlink: { doc: 'Removes the link between an object and a channel.', identify: [],
                  meta: { peoTid: 'Or peoId.', projectTid: 'Or projectId; of the same kind as that of the object.' } },
      },
    },
    'peos/values': {
      doc: 'What objects say in the end: the values of their products with their own put over them, by the template.',
      access: 'user', container: 'peos', element: 'peo', item: Peo, dataType: 'peo', own: true,
      retrieve: PeoRequest,
    },
    'admin/templates': {
      doc: 'Creates or changes templates. A meta item attribute.<tid> says how an attribute behaves: inherited, overridden or hidden, and required (overridden,required). Without any, a template has all attributes of the product.',
      access: 'admin', container: 'templates', element: 'template', item: Template, dataType: 'template', own: true,
      persist: true,
    },
  },
  routes: {
    listPeos: {
      doc: 'Product extension objects by name. Deprecated: use query and retrieve. All of them when the request names none.',
      access: 'user', needs: { kind: 'peo', action: 'read' }, method: 'POST', path: '/peos', formats: 'all',
      request: PeoRequest, requestOptional: true, reply: Pim, statuses: [200, 400, 401, 404, 500],
      deprecated: { since: '2024-01-01', sunset: '2027-12-31' },
    },
    listTemplates: {
      doc: 'All templates.',
      access: 'user', needs: { kind: 'peo', action: 'read' }, method: 'GET', path: '/templates', formats: 'all', own: true,
      reply: Pim, statuses: [200, 401, 500],
    },
  },
})
