/** The options of an export as BMEcat, and its elements and languages as text. */
import type { Infer, TransferCatalog } from '@kontor/contract'
import { threeLetters } from './languages.ts'
import type { AttributeKind } from '../plan.ts'
import type { NodeView } from './model.ts'

type BmecatCatalog = Infer<typeof TransferCatalog>

export interface BmecatOptions {
  readonly catalog: BmecatCatalog
  /** The first one is the language of the catalogue. */
  readonly locales: readonly string[]
  readonly nodes: readonly NodeView[]
  readonly generated: Date
  /** The attribute with the numbers of products, if it is not the tid. */
  readonly numberAttr: string | undefined
  /** The name of the element or feature that an attribute becomes, in a locale if it is localized. */
  nameOf(attr: string, locale: string | undefined): string | undefined
  labelOf(attr: string): string | undefined
  kindOf(attr: string): AttributeKind | undefined
  pathOf(assetTid: string): string | undefined
  /** The purpose of files that are linked with a type. */
  purposeOf(linkType: string | undefined): string
}

const signs = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], ['\r', '&#13;']]) // prettier-ignore
export const escape = (text: string) => text.replaceAll(/[&<>"\r]/g, (sign) => signs.get(sign)!)

/** An element; '' without content. */
export const element = (name: string, content: string, attributes: Readonly<Record<string, string>> = {}): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`)
  return content === '' ? '' : `<${name}${written.join('')}>${content}</${name}>`
}
export const leaf = (name: string, text: string, attributes?: Readonly<Record<string, string>>) =>
  element(name, escape(text), attributes)

/** Languages by their code if each has one locale, otherwise by locale. */
export function languagesOf(locales: readonly string[]) {
  const letters = locales.map(threeLetters)
  const isPlain = letters.every((code) => code !== undefined) && new Set(letters).size === letters.length
  const attribute = isPlain ? 'lang' : 'locale'
  const codeOf = (locale: string) => (isPlain ? threeLetters(locale)! : locale.replace('_', '-'))
  return {
    /** As attributes of a text. */
    of: (locale: string | undefined): Record<string, string> => (locale === undefined ? {} : { [attribute]: codeOf(locale) }), // prettier-ignore
    elements: locales.map((locale, i) =>
      isPlain ? leaf('LANGUAGE', codeOf(locale), i === 0 ? { default: 'true' } : {}) : leaf('LOCALE', codeOf(locale)),
    ),
  }
}
export type Languages = ReturnType<typeof languagesOf>
