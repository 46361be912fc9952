/** The model in exports of Akeneo: groups of attributes, attributes, their options, categories and families. */
import { Problem } from '../../errors.ts'
import { familyOf } from './akeneo-units.ts'
import type { LayoutScope, ObjectRow } from './layout.ts'
import { type Cells, partsOf } from './parts.ts'

type ModelKind = 'group' | 'attribute' | 'option' | 'category' | 'family' | 'familyVariant'
type Item = Pick<ObjectRow, 'container' | 'item'>

/** By the columns that only this kind has. */
export function modelKind(cells: Cells): ModelKind | undefined {
  const has = (name: string) => cells.has(name)
  if (has('sku') || has('identifier') || has('family_variant')) return undefined
  if (has('type') && has('localizable')) return 'attribute'
  if (has('attribute') && has('sort_order')) return 'option'
  if (has('variant-axes_1') || has('variant_attribute_sets')) return 'familyVariant'
  if (has('attributes') && has('sort_order')) return 'group'
  if (has('attributes') || has('attribute_as_label')) return 'family'
  return has('code') && !has('family') && !has('categories') ? 'category' : undefined
}

const named = (cells: Cells, { locales }: LayoutScope, otherwise: string) => {
  const labels = cells.filled.flatMap(([heading, value]) => (heading.startsWith('label-') ? [{ value, loc: heading.slice(6) }] : [])) // prettier-ignore
  const known = labels.filter(({ loc }) => locales.includes(loc))
  return { itm: known.length > 0 ? known : [{ value: otherwise, loc: locales.includes('en_GB') ? 'en_GB' : (locales[0] ?? 'en_GB') }] } // prettier-ignore
}

/** The type of values, and whether there are several. Files become assets, and have no attribute. */
// prettier-ignore
const types: Readonly<Record<string, { readonly type: string; readonly multi?: boolean }>> = {
  identifier: { type: 'text' }, text: { type: 'text' }, textarea: { type: 'text' }, number: { type: 'number' },
  boolean: { type: 'boolean' }, date: { type: 'date' }, simpleselect: { type: 'text' }, multiselect: { type: 'text', multi: true },
  metric: { type: 'number' }, price_collection: { type: 'number' }, image: { type: 'text' }, file: { type: 'text' },
  reference_data_simpleselect: { type: 'text' }, reference_data_multiselect: { type: 'text', multi: true },
  asset_collection: { type: 'text', multi: true }, reference_entity: { type: 'text' },
  reference_entity_collection: { type: 'text', multi: true }, table: { type: 'text' },
}

export function modelRow(kind: ModelKind, cells: Cells, scope: LayoutScope): Item {
  const code = cells.get('code')
  if (code === '') throw new Problem('invalid', 'the row has no code')
  return byKind[kind](code, cells, scope)
}

const isTrue = (cell: string) => cell === '1' || cell === 'true'

/**
 * Measurements of known families become measures, unless they were imported as numbers before. A price is a price if you have
 * made the attribute, because the file does not name its currencies.
 */
function typeOf(word: string, type: string, metricFamily: string, known: string | undefined) {
  const family = word === 'metric' && known !== 'number' ? familyOf(metricFamily) : undefined
  if (family !== undefined) return { type: 'measure', format: { family } }
  return { type: word === 'price_collection' && known === 'price' ? known : type }
}

const byKind: Readonly<Record<ModelKind, (code: string, cells: Cells, scope: LayoutScope) => Item>> = {
  group(code, cells, scope) {
    const [place] = /^\d{1,4}$/.exec(cells.get('sort_order')) ?? []
    const itm = partsOf(cells.get('attributes'), ',').filter((key) => scope.kindOf(key)).map((value) => ({ value })) // prettier-ignore
    const item = { tid: code, name: named(cells, scope, code), ...(place !== undefined && { pos: Number(place) }) }
    return { container: 'attrGroups', item: { ...item, ...(itm.length > 0 && { references: { itm } }) } }
  },
  attribute(code, cells, scope) {
    const word = cells.get('type').replace(/^(pim|akeneo)_(catalog_|assets_)?/, '')
    const found = types[word]
    if (!found) throw new Problem('invalid', `type: unknown type ${cells.get('type').slice(0, 50)} of an attribute; remove the row, and create the attribute yourself`) // prettier-ignore
    const item = {
      tid: code,
      ...typeOf(word, found.type, cells.get('metric_family'), scope.kindOf(code)?.type),
      name: named(cells, scope, code),
      ...(isTrue(cells.get('localizable')) && { localized: 'true' }),
      ...(found.multi && { multiValued: { value: 'true' } }),
    }
    return { container: 'attrDefs', item }
  },
  option(code, cells, scope) {
    const tid = cells.get('attribute')
    const kind = scope.kindOf(tid)
    if (!kind) throw new Problem('notFound', `attribute: no attribute has the tid ${tid}; import the attributes first`)
    const domainVal = [{ tid: code, itm: named(cells, scope, code).itm }]
    return { container: 'attrDefs', item: { tid, type: kind.type ?? 'text', domainVals: { domainVal } } }
  },
  category(code, cells, scope) {
    const parent = cells.get('parent')
    const name = named(cells, scope, code)
    if (parent === '') return { container: 'classes', item: { tid: code, name } }
    return { container: 'nodes', item: nodeItem(code, scope.madeUnder(code, parent), name, scope) }
  },
  family(code, cells, scope) {
    const attr = partsOf(cells.get('attributes'), ',').filter((key) => scope.kindOf(key)).map((key) => ({ key })) // prettier-ignore
    const name = { itm: [{ value: 'Families', loc: named(cells, scope, code).itm[0]!.loc }] }
    return { container: 'classes', item: { tid: 'families', name, node: { node: [{ tid: code, name: named(cells, scope, code), attr }] } } } // prettier-ignore
  },
  familyVariant() {
    throw new Problem('invalid', 'family variants are not imported: product models have their structure; leave out the file') // prettier-ignore
  },
}

/** A node is created below its parent, and changed by its path. */
const nodeItem = (tid: string, parentPath: string, name: object, scope: LayoutScope) =>
  scope.pathsOf(tid).includes(`${parentPath}/${tid}`) ? { path: `${parentPath}/${tid}`, name } : { parentPath, tid, name } // prettier-ignore
