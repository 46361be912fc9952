/**
 * Reads translated texts from XLIFF 2.0 and 2.1: a row per unit that is translated, reviewed or final. Other units, and
 * those without a text, are counted in the notes.
 *
 * Documents come from outside. They have no document type and so no entities; the size of a unit is bounded.
 */
import { Problem } from '../../errors.ts'
import type { Bytes, SourceRow } from '../read/source.ts'
import { rootOf, type Treatment, type XmlElement, xmlEvents } from '../read/xml-elements.ts'
import type { LayoutScope, ObjectReader } from './layout.ts'
import { CodeData, textIn } from './xliff-inline.ts'
import { placeOf, productOf } from './xliff-ids.ts'
import { isRich, isTranslated, tagOf } from './xliff-write.ts'

const treat = (name: string, path: readonly string[]): Treatment =>
  name === 'unit' ? 'read' : path.length === 1 || name === 'file' || name === 'group' ? 'enter' : 'skip'

const accepted = new Set(['translated', 'reviewed', 'final'])

export const xliffReader: ObjectReader = {
  format: 'xml',
  detects: (head) => rootOf(head) === 'xliff',
  rows: readXliff,
}

interface Pair {
  readonly source: string
  readonly target: string
}

async function* readXliff(bytes: Bytes, scope: Parameters<ObjectReader['rows']>[1]): AsyncGenerator<SourceRow> {
  let pair: Pair | undefined
  let product: string | undefined
  let number = 0
  for await (const { path, element } of xmlEvents(bytes, treat, { refusesDoctype: true })) {
    if (path.length === 1) pair = pairOf(element, scope)
    else if (element.name === 'file') product = productOf(element.attributes['id'])
    else if (element.name === 'unit') {
      const found = unitOf(element, product, pair!, scope)
      if (found) yield { number: ++number, ...found } as SourceRow
    }
  }
}

function pairOf({ name, attributes }: XmlElement, { locales }: Pick<LayoutScope, 'locales'>): Pair {
  if (name !== 'xliff') throw new Problem('invalid', `expected the root element xliff, but it is ${name.slice(0, 50)}`)
  const { version = '', srcLang, trgLang } = attributes
  if (!/^2\.[0-9]$/.test(version))
    throw new Problem('invalid', `version: XLIFF ${version.slice(0, 10) || 'without a version'} cannot be read; save the file as XLIFF 2.1`) // prettier-ignore
  const localeOf = (attribute: string, tag: string | undefined) => {
    const found = locales.find((locale) => tagOf(locale).toLowerCase() === tag?.toLowerCase())
    if (found) return found
    throw new Problem('invalid', `${attribute}: ${tag === undefined ? 'the document names no language' : `${tag.slice(0, 50)} is not a language of content`}; expected one of ${locales.map(tagOf).join(', ')}`) // prettier-ignore
  }
  const pair = { source: localeOf('srcLang', srcLang), target: localeOf('trgLang', trgLang) }
  if (pair.source === pair.target) throw new Problem('invalid', `trgLang: the language ${tagOf(pair.source)} is the one of the source`) // prettier-ignore
  return pair
}

/** Undefined for a unit that is not translated. */
function unitOf(
  unit: XmlElement,
  product: string | undefined,
  pair: Pair,
  { kindOf, note }: Parameters<ObjectReader['rows']>[1],
): object | undefined {
  const { id = '', translate } = unit.attributes
  if (translate === 'no') return undefined
  const segments = unit.children.filter(({ name }) => name === 'segment')
  const untranslated = segments.find(({ attributes: { state = 'initial' } }) => !accepted.has(state))
  if (untranslated || segments.length === 0) {
    note('unit', `not translated yet: its state is ${untranslated?.attributes['state']?.slice(0, 20) ?? 'initial'}`)
    return undefined
  }
  const targets = segments.map((segment) => childOf(segment, 'target'))
  if (targets.some((target) => !target || !hasText(target))) {
    note('unit', 'its target is empty')
    return undefined
  }
  const place = placeOf(id)
  if (product === undefined || !place)
    return { fault: `the unit ${id.slice(0, 100)} is not one of an export: the id of the file or of the unit is unknown` } // prettier-ignore
  const { attribute, below } = place
  const kind = kindOf(attribute)
  if (!isTranslated(kind)) return { fault: `no translated text has the attribute ${attribute.slice(0, 100)}, or you may not read it` } // prettier-ignore
  if (!kind.multi && segments.length > 1)
    return { fault: `the unit ${id.slice(0, 100)} has ${segments.length} segments, but ${attribute.slice(0, 100)} is one text; join them` } // prettier-ignore
  const original = childOf(unit, 'originalData')?.children ?? []
  const data = new CodeData(new Map(original.map((one) => [one.attributes['id'] ?? '', textIn(one, noData, false)])))
  const read = (element: XmlElement | undefined) => (element ? textIn(element, data, isRich(kind)) : '')
  const values = targets.map(read)
  const { source, target: loc } = pair
  const texts = kind.multi
    ? { i18N: [{ loc, itm: values.map((value, pos) => ({ value, pos })) }] }
    : { itm: [{ value: values[0], loc }] }
  const vals = { vals: { val: [{ attr: attribute, ...texts }] } }
  return {
    container: 'products',
    item: itemOf(product, below, vals),
    translated: {
      product, below, attribute, source, target: loc, isRich: isRich(kind),
      texts: segments.map((segment) => read(childOf(segment, 'source'))),
    },
  } // prettier-ignore
}

const noData = new CodeData()
const childOf = ({ children }: XmlElement, name: string) => children.find((one) => one.name === name)
const hasText = ({ content }: XmlElement): boolean =>
  content.some((piece) => (typeof piece === 'string' ? piece.trim() !== '' : hasText(piece)))

function itemOf(tid: string, [article, variant]: readonly string[], vals: object): object {
  if (article === undefined) return { tid, ...vals }
  const inside = variant === undefined ? vals : { variants: { variant: [{ tid: variant, ...vals }] } }
  return { tid, articles: { article: [{ tid: article, ...inside }] } }
}
