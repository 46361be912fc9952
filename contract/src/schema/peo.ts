/** The PEO area: product extension objects and their templates in messages, and the requests for them. */
import { Links, Meta, Vals } from './blocks.ts'
import {
  attr,
  child,
  children,
  either,
  leaf,
  leaves,
  matches,
  type,
  type Infer,
  type Long,
  type Type,
  needsOneOf,
} from './describe.ts'

// Messages

export const PeoNode = type('peoNode', 'A channel that the product extension object is linked to.', {
  tid: attr('string'),
  id: attr('long'),
})
export const PeoNodes = type('peoNodes', 'The channels that a product extension object is linked to.', {
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
export const Peo: Type<Peo> = type(
  'peo',
  'A product extension object: values of a product that differ for one channel.',
  {
    meta: child(() => Meta),
    name: leaf('string', 'Required for new objects.'),
    links: child(() => Links),
    vals: child(() => Vals),
    nodes: child(() => PeoNodes),
    peos: child(() => Peos, 'In peoHierarchy: the objects below this object.'),
    default: either(leaf('string', 'Whether this is the default object of its product.')),
    id: attr('long'),
    tid: attr('string'),
    product: attr('string', 'tid of the product.'),
    productId: attr('long'),
    productTid: attr('string', 'Required for new objects.'),
    template: attr('string', 'Name of the template.'),
    templateId: attr('long', 'Required for new objects, unless templateTid is sent.'),
    templateTid: attr('string'),
  },
)
export const Peos: Type<{ peo?: Peo[] }> = type('peos', 'Product extension objects.', { peo: children(() => Peo) })

export const Template = type('template', 'A template: the attributes of product extension objects.', {
  name: leaf('string'),
  meta: child(() => Meta),
  tid: attr('string'),
  id: attr('long'),
})
export const Templates = type('templates', 'Templates.', { template: children(() => Template) })

// Requests

export const PeoRequest = needsOneOf(
  type('peoRequest', 'Product extension objects by identifier.', {
    tids: leaves('string'),
    ids: leaves('long', 'Ignored when tids are sent.'),
    namesOnly: leaf('boolean', 'true returns only identifiers and names. Default false.'),
    withMetadata: leaf('boolean', 'Default false.'),
  }),
  'tids',
  'ids',
)

const timeWithoutZone =
  '^[1-9]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?)?$'

export const PeoQuery = type('peoQuery', 'A query for product extension objects. All given criteria must match.', {
  modifiedFrom: matches(
    leaf('string', 'Changed at or after this time, without time zone, with milliseconds: 2024-02-25T01:00:00.000.'),
    timeWithoutZone,
  ),
  modifiedUntil: matches(leaf('string', 'Changed at or before this time.'), timeWithoutZone),
  names: leaves('string'),
  tidProject: leaf('string', 'Linked to this channel.'),
  tidProduct: leaf('string', 'Objects of this product.'),
  withChildren: leaf('boolean', 'With tidProject: includes objects linked to channels below it. Default true.'),
  considerLinkRelation: leaf('boolean'),
})
