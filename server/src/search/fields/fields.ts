/** The fields that an index has for a caller, and the comparators that each allows. */
import { type FieldCfg, type FieldInfoRequest, indexes, type Infer } from '@kontor/contract'
import type { DocumentField, IndexName } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import { allowedComparators } from '@kontor/search-engine'
import { timedHead } from '../reply-head.ts'
import { isCountable } from '../query/facets.ts'
import { fieldLabel } from '../query/labels.ts'
import { localeOf } from '../query/query.ts'
import { nothing } from '../query/rights.ts'
import { scopesOf, type Searching } from '../query/search.ts'

type Request = Infer<typeof FieldInfoRequest> & { language?: string }

export function listFields(searching: Searching, { index, fields: names, showAllowedOperators, language }: Request) {
  const head = timedHead()
  const scopes = scopesOf(searching, demandIndex(index, '/fieldInfoRequest/index'))
  const locale = localeOf(language)
  const found = new Map<string, DocumentField>()
  for (const { entry, view } of scopes) {
    for (const field of entry.fields.values()) {
      if (!field.inner && !found.has(field.name) && view.visible(field) !== nothing) found.set(field.name, field)
    }
  }
  const missing = names?.find((name) => !found.has(name) && ![...found.values()].some(({ table }) => table === name))
  if (missing !== undefined) throw new Problem('notFound', `index ${index} has no field ${missing.slice(0, 100)}`)
  const selected = [...found.values()].filter(
    ({ name, table }) => !names || names.includes(name) || names.includes(table ?? ''),
  )
  const describe = (field: DocumentField) => toFieldCfg(field, locale, showAllowedOperators ?? false)
  const plain = selected.filter(({ table }) => table === undefined).map(describe)
  const tables = [
    ...Map.groupBy(
      selected.filter(({ table }) => table !== undefined),
      ({ table }) => table!,
    ),
  ]
  return {
    ...head(),
    fields: [
      ...plain,
      ...tables.map(([table, columns]) => ({
        fieldName: table,
        label: table,
        fieldType: 'table',
        attrIdentifier: table,
        aggregatable: false,
        sortable: false,
        nestedFields: columns.map(describe),
      })),
    ],
  }
}

export function demandIndex(index: string | undefined, place: string): IndexName {
  const known = indexes.find((each) => each === index)
  if (known) return known
  throw new Problem('invalid', `${place}: unknown index ${index ?? '(none)'}; expected one of ${indexes.join(', ')}`)
}

/** Values of such a field are stored in another index, so it can only be compared with whole values. */
const linkComparators = ['EQ', 'NOT_EQ', 'IN', 'NOT_IN', 'IS_EMPTY', 'IS_NOT_EMPTY']
const wordComparators = allowedComparators.text.filter((each) => /LIKE|TERM|EMPTY|^EQ$|^NOT_EQ$/.test(each))

function toFieldCfg(field: DocumentField, locale: string | undefined, withOperators: boolean): FieldCfg {
  const { name, type, localized, attribute, long, link, units } = field
  const comparators = link?.elsewhere ? linkComparators : long ? wordComparators : allowedComparators[type]
  return {
    fieldName: name,
    label: fieldLabel(field, locale),
    fieldType: type,
    aggregatable: isCountable(field),
    sortable: !long && !link?.elsewhere,
    multilingual: localized ?? false,
    ...(attribute !== undefined && { attrIdentifier: attribute }),
    ...(units?.[0] && { unit: units[0].code }),
    ...(withOperators && { allowedOperators: [...comparators] }),
  }
}
