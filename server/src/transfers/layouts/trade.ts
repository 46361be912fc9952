/** The articles of trade catalogues (BMEcat, GS1) in one form: texts by the names of their elements. */
import type { XmlElement } from '../read/xml-elements.ts'

/** Values of one element in one language. */
export interface TradeField {
  /** The name of the element, or the code of a feature. */
  readonly name: string
  /** As the document writes it: deu, de or de-DE. */
  readonly lang?: string | undefined
  readonly values: readonly string[]
  /** The unit of each value, '' without one. Units are also a field of their own. */
  readonly units?: readonly string[]
  /** Of a unit: the name of the field that has it. */
  readonly unitOf?: string
  /** Of a price: its amounts with their currencies, for attributes that are prices. */
  readonly amounts?: readonly string[]
  /** A name for people, for an attribute that is made. */
  readonly label?: string | undefined
  /** Whether several values are usual. */
  readonly multi?: boolean
}

export interface TradeRecord {
  readonly tid: string
  readonly name: string
  readonly fields: readonly TradeField[]
  /** The categories from the top, each with its code and name. */
  readonly groups: readonly TradeGroup[]
  /** Whether the first group is the whole catalogue. */
  readonly isRooted: boolean
  readonly isDeletion: boolean
  /** Whether the document sends the whole product, not only what has changed. */
  readonly isNew: boolean
  /** The product, and the article if the record is a variation, that contain it. */
  readonly parents: readonly string[]
}

export interface TradeGroup {
  readonly code: string
  readonly name: string
}

/** Notes what is not imported: by place and reason, with the number of times. */
export type Note = (place: string, reason: string) => void

/** The currency of the first price; prices in several currencies need an attribute that is a price. */
export const currencyField = 'PRICE_CURRENCY'

type More = Omit<TradeField, 'name' | 'values' | 'units' | 'amounts'> & { readonly unit?: string | undefined }

/** Collects the values of a record: those of one name and language belong together. */
export class TradeFields {
  readonly #fields = new Map<string, TradeField & { values: string[]; units: string[] }>()

  add(name: string, value: string, { unit = '', ...more }: More = {}): void {
    if (value === '') return
    const key = `${name}@${more.lang ?? ''}`
    const known = this.#fields.get(key) ?? { name, ...more, values: [], units: [] }
    this.#fields.set(key, known)
    known.values.push(value)
    known.units.push(unit)
  }
  /** Returns whether the currency is a new one of the price. */
  addAmount(name: string, value: string, currency: string): boolean {
    const known = this.#fields.get(`${name}@`)
    if (known && (currency === '' || known.amounts?.some((one) => one.endsWith(` ${currency}`)) !== false)) return false
    const amounts = currency === '' ? {} : { amounts: [...(known?.amounts ?? []), `${value} ${currency}`] }
    if (value !== '') this.#fields.set(`${name}@`, { name, values: [value], units: [], ...known, ...amounts })
    return true
  }
  has(name: string): boolean {
    return this.#fields.has(`${name}@`)
  }
  get list(): readonly TradeField[] {
    return [...this.#fields.values()]
  }
}

export const childrenOf = ({ children }: XmlElement, name: string) => children.filter((child) => child.name === name)
export const childOf = ({ children }: XmlElement, name: string) => children.find((child) => child.name === name)
export const textOf = (element: XmlElement, name: string): string => childOf(element, name)?.text ?? ''
