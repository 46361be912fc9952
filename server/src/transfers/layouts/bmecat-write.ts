/**
 * Products as a catalogue of BMEcat 2005.2. Each product, article and variation is a PRODUCT; an article names the
 * product above it. Attributes with the name of an element become that element, all others become features. A value that
 * the element cannot hold becomes a feature of the same name, so that nothing is cut off.
 */
import type { ProductItem } from '../mapping.ts'
import { numberOf, toElements, type WrittenPart } from './bmecat-elements.ts'
import { type BmecatOptions, element, type Languages, languagesOf, leaf } from './bmecat-xml.ts'

const shortened = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

export async function* writeBmecat(
  pages: AsyncIterable<readonly ProductItem[]>,
  options: BmecatOptions,
): AsyncGenerator<Buffer> {
  const languages = languagesOf(options.locales)
  const nodes = options.nodes.flatMap(({ tid, path, name }) =>
    tid !== undefined && path !== undefined ? [{ tid, path, names: name?.itm ?? [] }] : [],
  )
  const groups = groupsOf(nodes)
  yield Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<BMECAT version="2005.2" xmlns="http://www.bmecat.org/bmecat/2005.2">\n` +
      `${headerOf(options, languages)}\n<T_NEW_CATALOG>\n${structureOf(groups, options, languages)}`,
  )
  /** The numbers of products by the path of their node. */
  const assigned = new Map<string, string[]>()
  for await (const page of pages) {
    let text = ''
    for (const product of page) {
      for (const part of partsOf(product)) text += `${toElements(part, options, languages)}\n`
      if (groups.has(product.node ?? '')) note(assigned, product.node!, numberOf(product, options))
    }
    yield Buffer.from(text)
  }
  for (const [path, numbers] of assigned) {
    const group = leaf('CATALOG_GROUP_ID', groups.get(path)!.id)
    for (const number of numbers)
      yield Buffer.from(`${element('PRODUCT_TO_CATALOGGROUP_MAP', leaf('PROD_ID', number) + group)}\n`)
  }
  yield Buffer.from('</T_NEW_CATALOG>\n</BMECAT>\n')
}

function note(lists: Map<string, string[]>, key: string, one: string): void {
  const list = lists.get(key) ?? []
  list.push(one)
  lists.set(key, list)
}

/** A product before its articles, an article before its variations. */
function* partsOf(product: ProductItem): Generator<WrittenPart> {
  yield { part: product, above: [] }
  for (const article of product.articles?.article ?? []) {
    yield { part: article, above: [product] }
    for (const variant of article.variants?.variant ?? []) yield { part: variant, above: [product, article] }
  }
}

function headerOf({ catalog, generated }: BmecatOptions, languages: Languages): string {
  const { id = 'KONTOR', version = '1.0', name, supplier = 'Kontor', supplierId, buyer, currency = 'EUR' } = catalog
  return element(
    'HEADER',
    leaf('GENERATOR_INFO', 'Kontor') +
      element(
        'CATALOG',
        languages.elements.join('') +
          leaf('CATALOG_ID', id) +
          leaf('CATALOG_VERSION', version) +
          leaf('CATALOG_NAME', name ?? '') +
          leaf('GENERATION_DATE', generated.toISOString()) +
          leaf('CURRENCY', currency),
      ) +
      // Receivers demand a buyer, also in catalogues for everybody.
      element('BUYER', leaf('BUYER_NAME', buyer ?? '-')) +
      element('SUPPLIER', leaf('SUPPLIER_ID', supplierId ?? '') + leaf('SUPPLIER_NAME', supplier)),
  )
}

interface BmecatNode {
  readonly tid: string
  readonly path: string
  readonly names: readonly { readonly loc?: string; readonly value?: string }[]
}
interface Group {
  readonly id: string
  readonly parent: string
  readonly type: 'root' | 'node' | 'leaf'
  readonly node: BmecatNode
}

const maxId = 50

/** Groups by the path of their node. Their id is the tid of the node, unless another node has the same one. */
function groupsOf(nodes: readonly BmecatNode[]): ReadonlyMap<string, Group> {
  const above = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const parents = new Set(nodes.map(({ path }) => above(path)))
  const count = Map.groupBy(nodes, ({ tid }) => tid)
  const ids = new Map(
    nodes.map(({ tid, path }, i) => [path, tid.length <= maxId && count.get(tid)!.length === 1 && tid !== '0' ? tid : `KONTOR-${i + 1}`]), // prettier-ignore
  )
  return new Map(
    nodes.map((node) => {
      const parent = ids.get(above(node.path))
      const type = parent === undefined ? 'root' : parents.has(node.path) ? 'node' : 'leaf'
      return [node.path, { id: ids.get(node.path)!, parent: parent ?? '0', type, node }]
    }),
  )
}

function structureOf(groups: ReadonlyMap<string, Group>, { locales }: BmecatOptions, languages: Languages): string {
  const structures = [...groups.values()].map(({ id, parent, type, node: { tid, names } }) => {
    const written = names.filter(({ loc, value = '' }) => value !== '' && loc !== undefined && locales.includes(loc))
    const labels = written.map(({ loc, value }) => leaf('GROUP_NAME', shortened(value!, maxId), languages.of(loc)))
    const label = labels.length > 0 ? labels.join('') : leaf('GROUP_NAME', shortened(tid, maxId))
    return element('CATALOG_STRUCTURE', leaf('GROUP_ID', id) + label + leaf('PARENT_ID', parent), { type })
  })
  return structures.length === 0 ? '' : `${element('CATALOG_GROUP_SYSTEM', structures.join('\n'))}\n`
}
