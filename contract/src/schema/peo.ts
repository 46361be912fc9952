/** The PEO area: product extension objects and their templates as they stand in messages, and the requests for them. */
import { Links, Meta, Vals } from './blocks.ts'
import { attr, child, children, either, leaf, leaves, type, type Infer, type Long, type Type } from './describe.ts'

// Messages

export const PeoNode = type('peoNode', 'A project that the product extension object is linked to.', {
  tid: attr('string'),
  id: attr('long'),
})
export const PeoNodes = type('peoNodes', 'The projects that a product extension object is linked to.', {
  node: children(() => PeoNode),
})

export interface Peo {
  meta?: Infer<typeof Meta>
  name?: string
  links?: Infer<typeof Links>
  vals?: Infer<typeof Vals>
  nodes?: Infer<typeof PeoNodes>
  peos?: { peo?: Peo[] }
  default?: string
  id?: Long
  tid?: string
  product?: string
  productId?: Long
  productTid?: string
  template?: string
  templateId?: Long
  templateTid?: string
}
export const Peo: Type<Peo> = type('peo', 'A product extension object: what differs of a product for one output.', {
  meta: child(() => Meta),
  name: leaf('string', 'Required to create.'),
  links: child(() => Links),
  vals: child(() => Vals),
  nodes: child(() => PeoNodes),
  peos: child(() => Peos, 'Inside peoHierarchy: the objects below this one.'),
  default: either(leaf('string', 'Whether this is the default object of its product.')),
  id: attr('long'),
  tid: attr('string'),
  product: attr('string', 'tid of the product.'),
  productId: attr('long'),
  productTid: attr('string', 'Required to create.'),
  template: attr('string', 'Name of the template.'),
  templateId: attr('long', 'Required to create, unless templateTid is sent.'),
  templateTid: attr('string'),
})
export const Peos: Type<{ peo?: Peo[] }> = type('peos', 'Product extension objects.', { peo: children(() => Peo) })

export const Template = type('template', 'A template: which attributes a product extension object has.', {
  name: leaf('string'),
  meta: child(() => Meta),
  tid: attr('string'),
  id: attr('long'),
})
export const Templates = type('templates', 'Templates.', { template: children(() => Template) })

// Requests

export const PeoRequest = type('peoRequest', 'Product extension objects by identifier.', {
  tids: leaves('string'),
  ids: leaves('long', 'Ignored when tids are sent.'),
  namesOnly: leaf('boolean', 'Only identifiers and names. Default false.'),
  withMetadata: leaf('boolean', 'Default false.'),
})

export const PeoQuery = type('peoQuery', 'Search for product extension objects; all criteria given must hold.', {
  modifiedFrom: leaf('string', 'Changed at or after, without zone, in milliseconds: 2024-02-25T01:00:00.000.'),
  modifiedUntil: leaf('string', 'Changed at or before.'),
  names: leaves('string'),
  tidProject: leaf('string', 'Linked to this project.'),
  tidProduct: leaf('string', 'Extending this product.'),
  withChildren: leaf('boolean', 'With tidProject: also linked to projects below it. Default true.'),
  considerLinkRelation: leaf('boolean'),
})
