/**
 * Texts of products for translators, as XLIFF 2.1: a file per product, a unit per text, a segment per value of a list.
 *
 * The state of a segment: `initial` has to be translated (with the old translation, if its source has changed since),
 * `translated` is up to date. Notes name the product and the attribute.
 */
import type { Infer, TranslationOrder } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { plain, type ValMessage } from '../languages.ts'
import type { ProductItem } from '../mapping.ts'
import type { AttributeKind } from '../plan.ts'
import { escape } from './bmecat-xml.ts'
import type { LayoutWriter, WriterScope } from './layout.ts'
import { UnitCodes } from './xliff-inline.ts'
import { fileIdOf, type TextPlace, unitIdOf } from './xliff-ids.ts'

type Part = Pick<ProductItem, 'name' | 'vals'>
export type Order = Infer<typeof TranslationOrder> & { readonly source: string }

/** A text of a product, article or variation, with its values in the source and the target locale. */
export interface TranslatedText extends TextPlace {
  readonly name: string
  readonly kind: AttributeKind
  readonly source: readonly string[]
  readonly target: readonly string[]
}

/** A value without a translation is undefined. */
type WrittenText = Omit<TranslatedText, 'target'> & { readonly target: readonly (string | undefined)[] }

export const isRich = ({ type }: AttributeKind) => type === 'richtext'
/** Whether the values of an attribute are texts that people translate. */
export const isTranslated = (kind: AttributeKind | undefined): kind is AttributeKind =>
  kind !== undefined && kind.localized && !kind.listed && ['text', 'richtext'].includes(kind.type ?? 'text')

/** `en_GB` is en-GB in the tags of BCP 47. */
export const tagOf = (locale: string) => locale.replace('_', '-')

export const xliffWriter: LayoutWriter = {
  formats: ['xml'],
  async *write(_format, pages, scope) {
    const order = scope.translation
    if (!order) throw new Problem('invalid', 'translation: the layout xliff needs the locale to translate into')
    const { source, target, state = 'open' } = order
    yield Buffer.from(
      '<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" ' +
        `srcLang="${tagOf(source)}" trgLang="${tagOf(target)}">\n`,
    )
    let isEmpty = true
    for await (const page of pages) {
      const stale = await scope.staleIn(page.map(({ tid }) => tid!), target) // prettier-ignore
      for (const product of page) {
        const tid = product.tid!
        const units: string[] = []
        for (const text of textsOf(product, scope, order)) {
          const isMissing = text.target.length === 0
          const isStale = !isMissing && stale.has(placeKey(tid, text))
          const isOpen = isMissing || isStale
          if (!{ missing: isMissing, stale: isStale, open: isOpen, all: true }[state]) continue
          const remembered: (string | undefined)[] = []
          if (isMissing) for (const value of text.source) remembered.push(await scope.remembered(value, isRich(text.kind))) // prettier-ignore
          units.push(unitOf(product, isMissing ? { ...text, target: remembered } : text, isOpen, scope))
        }
        if (units.length === 0) continue
        isEmpty = false
        yield Buffer.from(`${fileOf(tid, units)}\n`)
      }
    }
    // A document has at least one file, and a file at least one unit.
    if (isEmpty)
      yield Buffer.from(`${fileOf('', ['<unit id="none" translate="no"><segment><source/></segment></unit>'])}\n`)
    yield Buffer.from('</xliff>\n')
  },
}

const fileOf = (tid: string, units: readonly string[]) =>
  `<file id="${tid === '' ? 'none' : fileIdOf(tid)}"${tid === '' ? '' : ` original="${escape(tid)}"`} xml:space="preserve" canResegment="no">\n${units.join('\n')}\n</file>`

/** As `staleIn` of the scope has it. */
export const placeKey = (product: string, { below, attribute }: TextPlace) => [product, ...below, attribute].join('\n')

function unitOf(product: ProductItem, text: WrittenText, isOpen: boolean, scope: WriterScope): string {
  const { source, target, attribute, name, kind, below } = text
  const codes = new UnitCodes()
  const rich = isRich(kind)
  const sources = source.map((value) => codes.source(value, rich))
  const state = isOpen ? 'initial' : 'translated'
  const segments = sources.map((value, i) => {
    const old = target[i]
    const translated = old === undefined ? '' : `<target>${codes.target(old, rich)}</target>`
    return `<segment id="s${i + 1}" state="${state}"><source>${value}</source>${translated}</segment>`
  })
  const label = scope.labelOf(attribute) ?? attribute
  const owner = below.length === 0 ? product.name! : `${product.name!} / ${name}`
  const notes = `<notes><note category="product">${escape(owner)}</note><note category="attribute">${escape(label)}</note></notes>`
  return `<unit id="${unitIdOf(text)}" name="${escape(label)}">${notes}${codes.originalData}${segments.join('')}</unit>`
}

/** The own texts of a product, its articles and variations that have a source. */
export function* textsOf(
  product: ProductItem,
  { kindOf }: Pick<WriterScope, 'kindOf'>,
  order: Pick<Order, 'source' | 'target'>,
): Generator<TranslatedText> {
  for (const [part, below] of partsOf(product)) {
    for (const val of part.vals?.val ?? []) {
      const { attr = '', parent, inheritance } = val
      const kind = kindOf(attr)
      if (parent !== undefined || inheritance === 'inherited' || !isTranslated(kind)) continue
      const [source, target] = [valuesIn(val, order.source), valuesIn(val, order.target)]
      if (source.length > 0) yield { below, attribute: attr, name: part.name ?? '', kind, source, target }
    }
  }
}

function* partsOf(product: ProductItem): Generator<[Part, string[]]> {
  yield [product, []]
  for (const article of product.articles?.article ?? []) {
    yield [article, [article.tid!]]
    for (const variant of article.variants?.variant ?? []) yield [variant, [article.tid!, variant.tid!]]
  }
}

/** The values in a locale: of a list all, in their order. */
export function valuesIn(val: ValMessage, locale: string): string[] {
  const { itm = [], i18N = [] } = plain(val)
  const list = i18N.find(({ loc }) => loc === locale)?.itm ?? itm.filter(({ loc }) => loc === locale)
  return list.flatMap(({ value }) => (value === undefined || value === '' ? [] : value))
}

/** The part of a product that a place names. */
export function partAt(product: ProductItem, below: readonly string[]): Part | undefined {
  for (const [part, names] of partsOf(product)) if (names.join('\n') === below.join('\n')) return part
  return undefined
}
