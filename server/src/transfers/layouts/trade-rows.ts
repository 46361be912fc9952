/**
 * Records of trade catalogues as rows of a layout. Each field finds its meaning in this order:
 *
 *   the profile        a column with the name of the element or feature, such as EF000008, KEYWORD or DESCRIPTION_LONG@deu
 *   the layout         the tid, the name, the category and the files
 *   an attribute       with this tid, or for features with this name
 *   createModel        a new attribute
 *
 * A field without a meaning is noted, not refused: catalogues have many that a system does not need.
 */
import type { Infer, TransferColumn } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { joinList } from '../lists.ts'
import { fromProfile, type Level, levels } from '../plan.ts'
import { localeFor } from './languages.ts'
import type { LayoutRow, LayoutScope, Target } from './layout.ts'
import { currencyField, type TradeField, type TradeRecord } from './trade.ts'
import { unitOfTrade } from './unece.ts'

export interface TradeRules {
  /** The elements with the tid, the name and the category. */
  readonly tid: string
  readonly name: string
  readonly node: string
  /** Other names of elements: in profiles, and as tids of attributes. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  /** Whether the values are files. */
  isMedia(name: string): boolean
  /** Whether an attribute that is made for the element is a text, also if all values are numbers. */
  isText(field: TradeField): boolean
  /** The name of a column in profiles for all kinds of files. */
  readonly media: string
  /** Elements that are the same in every record or repeat others. */
  readonly silent: ReadonlySet<string>
}

type Entry = readonly [target: Target, text: string]
type Fault = NonNullable<LayoutRow['faults']>[number]

export async function* tradeRows(
  records: AsyncIterable<TradeRecord>,
  rules: TradeRules,
  scope: LayoutScope,
  language: string | undefined,
): AsyncGenerator<LayoutRow> {
  const mapper = new TradeMapper(rules, scope, language)
  const locale = language === undefined ? undefined : localeFor(language, scope.locales)
  if (locale !== undefined) scope.namesAreIn(locale)
  let number = 0
  for await (const record of records) yield { number: ++number, ...mapper.map(record) }
}

class TradeMapper {
  readonly #rules: TradeRules
  readonly #scope: LayoutScope
  /** The locale of texts without a language. */
  readonly #language: string | undefined
  readonly #targets = new Map<string, Target | string>()
  /** The columns of the profile. */
  readonly #columns: ReadonlyMap<string, Infer<typeof TransferColumn>>

  constructor(rules: TradeRules, scope: LayoutScope, language: string | undefined) {
    this.#rules = rules
    this.#scope = scope
    this.#language = language
    this.#columns = new Map((scope.profile?.columns ?? []).map((one) => [one.column, one]))
  }

  map(record: TradeRecord): Omit<LayoutRow, 'number'> {
    const level = record.parents.length as Level
    const faults: Fault[] = []
    const entries: Entry[] = record.parents.map((tid, i) => [this.#own('tid', this.#rules.tid, i as Level), tid]) // prettier-ignore
    if (!this.#gives('tid')) {
      const target = this.#own('tid', this.#rules.tid, level)
      entries.push([target, record.tid])
      if (record.tid === '') faults.push({ from: target.from, reason: `the ${this.#rules.tid} is missing, so the product cannot be found again; add it` }) // prettier-ignore
    }
    if (record.isDeletion) return { entries, isDeletion: true, ...(faults.length > 0 && { faults }) }
    if (!this.#gives('name') && !this.#isIgnored(this.#rules.name))
      entries.push([this.#own('name', this.#rules.name, level), record.name])
    if (level === 0) entries.push(...this.#nodeOf(record, faults))
    for (const field of record.fields) {
      const entry = this.#entryOf(field, record, level, faults)
      if (entry) entries.push(entry)
    }
    return { entries, ...(faults.length > 0 && { faults }) }
  }

  #own(field: 'tid' | 'name' | 'node', from: string, level: Level): Target {
    const isMapped = this.#columnFor(from) !== undefined
    return { level, field, from: isMapped ? `${from} (${field})` : from }
  }
  /** Whether a column of the profile has this field of the product. */
  #gives(field: 'tid' | 'name' | 'node'): boolean {
    return this.#scope.profile?.columns?.some((one) => one.field === field && (one.level ?? levels[0]) === levels[0]) ?? false // prettier-ignore
  }
  #isIgnored(name: string): boolean {
    return this.#columnFor(name)?.field === 'ignore'
  }
  #columnFor(name: string, lang?: string) {
    if (this.#columns.size === 0) return undefined
    const names = [name, ...(this.#rules.aliases.get(name) ?? []), ...(this.#rules.isMedia(name) ? [this.#rules.media] : [])] // prettier-ignore
    const wanted = [...(lang === undefined ? [] : names.map((one) => `${one}@${lang}`)), ...names]
    return wanted.map((one) => this.#columns.get(one)).find((one) => one !== undefined)
  }

  #nodeOf({ groups, isRooted, isNew }: TradeRecord, faults: Fault[]): Entry[] {
    const { node: from } = this.#rules
    const { profile } = this.#scope
    const code = groups.at(-1)?.code ?? ''
    const given = this.#columnFor(from)
    const path = given?.field === 'node' ? given.values?.[code] : undefined
    if (path !== undefined) return [[{ level: 0, field: 'node', from: `${from} (node)` }, path]]
    if (given?.field === 'ignore' || profile?.constants?.node !== undefined) return []
    if ((given === undefined && this.#gives('node')) || (groups.length === 0 && !isNew)) return []
    try {
      const found = this.#scope.nodeOfGroups(groups, isRooted) // prettier-ignore
      return found === undefined ? [] : [[{ level: 0, field: 'node', from: `${from} (node)` }, found]]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push({ from: `${from} (node)`, reason: error.message })
      return []
    }
  }

  #entryOf(field: TradeField, record: TradeRecord, level: Level, faults: Fault[]): Entry | undefined {
    const { name, lang, values } = field
    if (name === this.#rules.tid && this.#columnFor(name) === undefined) return undefined
    const place = lang === undefined ? name : `${name}@${lang}`
    const key = `${level} ${place}`
    const known = this.#targets.get(key) ?? this.#targetOf(field, level)
    this.#targets.set(key, known)
    if ((typeof known === 'string' || known.make) && this.#isInAmounts(field, record, level)) return undefined
    if (typeof known === 'string') {
      if (known !== '') this.#scope.note(place, known)
      return undefined
    }
    if (known.field === 'asset') return this.#files(known, field)
    if (
      known.attr !== undefined &&
      known.locale === undefined &&
      lang !== undefined &&
      !this.#isChosen(field, record)
    ) {
      this.#scope.note(place, `the attribute ${known.attr} has no languages; its value is that of another language`)
      return undefined
    }
    const column = this.#columnFor(name, lang)
    // Columns of a profile replace values themselves if the heading is theirs.
    const amounts = this.#amountsOf(known, field)
    const mapped = column?.values && column.column !== known.from ? amounts.map((one) => column.values![one] ?? one) : amounts // prettier-ignore
    const distinct = [...new Set(mapped)]
    const target = distinct.length > 1 && known.make ? { ...known, make: { ...known.make, multi: true } } : known
    const text = this.#textOf(target, distinct)
    if (text !== undefined) return [target, text]
    faults.push({ from: known.from, reason: `${place} has ${values.length} values, but the attribute ${known.attr} holds one; allow several, or ignore the column in a profile` }) // prettier-ignore
    return [known, values.join(' ')]
  }

  /** The values with their unit or currency, if the attribute stores it with them. */
  #amountsOf({ attr }: Target, { name, values, units = [], amounts = [] }: TradeField): readonly string[] {
    const { type, units: own } = (attr === undefined ? undefined : this.#scope.kindOf(attr)) ?? {}
    if (type === 'price' && amounts.length > 0) return [amounts.join('; ')]
    if (amounts.length > 1) this.#scope.note(name, 'of amounts in several currencies, the first one is imported; an attribute of the type price holds all of them') // prettier-ignore
    return type !== 'measure' ? values : values.map((one, i) => (units[i] && /^[+-]?[\d.,]+$/.test(one) ? `${one} ${unitOfTrade(units[i], own)}` : one)) // prettier-ignore
  }

  /** Whether the field is a unit or a currency that amounts are stored with. Their fields come before it. */
  #isInAmounts({ name, unitOf }: TradeField, { fields }: TradeRecord, level: Level): boolean {
    const typeOf = (of: string) => {
      const target = this.#targets.get(`${level} ${of}`)
      return typeof target === 'string' || target?.attr === undefined ? undefined : this.#scope.kindOf(target.attr)?.type // prettier-ignore
    }
    if (unitOf !== undefined) return typeOf(unitOf) === 'measure'
    const prices = name === currencyField ? fields.filter(({ amounts }) => amounts !== undefined) : []
    return prices.length > 0 && prices.every((one) => typeOf(one.name) === 'price')
  }

  /** Of the languages of a text, the one for an attribute without languages. */
  #isChosen({ name, lang }: TradeField, { fields }: TradeRecord): boolean {
    const same = fields.filter((one) => one.name === name)
    const own = same.find((one) => one.lang === undefined || one.lang === this.#language) ?? same[0]
    return own?.lang === lang
  }

  #textOf({ attr, parent, make }: Target, values: readonly string[]): string | undefined {
    const kind = attr === undefined ? undefined : this.#scope.kindOf(attr)
    const isList = parent !== undefined || (kind ? kind.multi : (make?.multi ?? false))
    if (isList) return joinList(values, this.#scope.separator)
    return values.length === 1 ? values[0]! : undefined
  }

  #files(target: Target, { name, values }: TradeField): Entry | undefined {
    const found = values.flatMap((value) => {
      const file = this.#scope.fileOf(value)
      if (file === undefined) this.#scope.note(name, 'the zip does not contain this file, or there is no zip')
      return file ?? []
    })
    return found.length === 0 ? undefined : [target, joinList(found, this.#scope.separator)]
  }

  /** The meaning of a field, or the reason why it has none; '' if it is left out on purpose. */
  #targetOf(field: TradeField, level: Level): Target | string {
    const { name, lang, label } = field
    const given = this.#columnFor(name, lang)
    if (given?.field === 'ignore') return ''
    if (given) {
      const column = fromProfile(name, { ...given, level: given.level ?? levels[level] })
      if (!column) return 'the profile gives this column neither a field nor an attribute'
      const { heading: _heading, ...target } = column
      return target.attr === undefined ? { ...target, from: given.column } : this.#inLocale(target, field, given.column)
    }
    if (this.#rules.isMedia(name)) return { level, field: 'asset', from: name }
    const tids = [name, ...(this.#rules.aliases.get(name) ?? [])]
    const attr = tids.find((tid) => this.#knows(tid)) ?? this.#scope.attributeNamed(name)
    if (attr !== undefined) {
      const [first = '', second] = attr.split('/')
      return this.#inLocale(
        second === undefined ? { level, attr } : { level, attr: second, parent: first },
        field,
        name,
      )
    }
    if (this.#rules.silent.has(name)) return ''
    const isDefault = lang === undefined || (lang === this.#language && !this.#scope.createModel)
    if (name === this.#rules.name && isDefault) return ''
    if (!this.#scope.createModel) return 'no attribute has this tid or name; give the column a meaning in a profile, or import with createModel' // prettier-ignore
    const make = {
      label: label ?? name,
      multi: field.multi ?? false,
      ...(this.#rules.isText(field) && { type: 'text' }),
    }
    return this.#inLocale({ level, attr: name.replaceAll(/[^\w.#-]+/g, '_'), make }, field, name)
  }

  /** A column of a table attribute is named with it. */
  #knows(tid: string): boolean {
    return tid.split('/').every((one) => this.#scope.kindOf(one) !== undefined)
  }

  #inLocale(target: Omit<Target, 'from'>, { lang }: TradeField, from: string): Target | string {
    const { locales, kindOf, createModel } = this.#scope
    const kind = kindOf(target.attr!)
    const isLocalized = kind ? kind.localized : createModel && lang !== undefined
    if (!isLocalized || target.locale !== undefined) return { ...target, from }
    const language = lang ?? this.#language
    const locale = language === undefined ? locales[0] : localeFor(language, locales)
    if (locale === undefined) return `no locale of content has the language ${language}`
    return { ...target, locale, from: `${from.split('@')[0]}@${language ?? locale}` }
  }
}
