/** A small message type with every kind of field, for the tests of the JSON formats. */
import { I18N, Item, Links, Meta, Name, Vals } from '../schema/blocks.ts'
import {
  alias,
  anything,
  attr,
  child,
  children,
  leaf,
  leaves,
  map,
  required,
  text,
  type,
  xmlName,
  type Long,
  type Type,
} from '../schema/describe.ts'

export interface Part {
  tid: string
  part?: Part[]
  [name: string]: unknown
}
export const Part: Type<Part> = type('part', 'Every kind of field, and itself.', {
  title: leaf('string'),
  weight: leaf('number'),
  tags: leaves('string'),
  ids: leaves('long'),
  note: child(() => Note),
  name: child(() => Name),
  links: child(() => Links),
  vals: child(() => Vals),
  i18N: xmlName(
    children(() => I18N),
    'i18n',
  ),
  itm: children(() => Item),
  part: alias(
    children(() => Part),
    'piece',
  ),
  extra: map(),
  free: anything(),
  tid: required(attr('string')),
  id: attr('long'),
  size: attr('integer'),
  isNew: attr('boolean'),
  visible: attr('flag'),
  since: attr('date'),
  kind: attr(['big', 'small']),
}) as Type<Part>

export const Note = type('note', 'Text with an attribute.', { value: text(), lang: attr('string') })

export const Parts = type('parts', 'A container.', { meta: child(() => Meta), part: children(() => Part) })
export const Notes = type('notes', 'A container that must not be empty.', {
  note: alias(required(children(() => Note)), 'remark'),
  mode: attr('string'),
})

export const Sample: Type<{ version: string; count?: Long }> = type('sample', 'The root.', {
  meta: child(() => Meta),
  parts: child(() => Parts),
  notes: alias(
    child(() => Notes),
    'remarks',
  ),
  links: child(() => Links),
  version: required(attr('string')),
  count: attr('long'),
})
