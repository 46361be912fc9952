/**
 * Merges the values of a message into stored ones.
 *
 * Attributes that are not sent keep their value. A list is replaced as a whole; a localized value is merged by locale, or
 * replaced with mode="full". Empty content removes: a `val` without content removes the value, an item or i18N without
 * text removes that locale. The definition decides about the form of a value; the `type` of the message is ignored.
 * Values marked as inherited are skipped: clients send them back as they were in a reply. Whatever a message removes, columns
 * and locales that the caller cannot see stay.
 */
import { because } from '@kontor/contract'
import { Problem, type ValueFault, ValueProblem } from '../errors.ts'
import { columnKey, keyOf, quoted, refuse, type ValueRule } from './rule.ts'
import {
  isLocalized,
  isSame,
  type ItemMessage,
  type List,
  type Localized,
  type Plain,
  plainOf,
  type StoredValue,
  type StoredValues,
  tagged,
  tagsOf,
  type ValMessage,
} from './stored.ts'

/** The rule for a key (`color`, `sizes/width`), or the reason why the attribute cannot be stored here. */
type RuleOf = (key: string) => ValueRule | Problem

/** A message with more rows than this in a table is taken for a mistake. */
const maxRows = 10_000

/** Returns the merged values, or `stored` itself if nothing differs. Throws a ValueProblem with every fault found. */
export function mergeVals(stored: StoredValues, sent: readonly ValMessage[], ruleOf: RuleOf): StoredValues {
  const faults: ValueFault[] = []
  const merged: Record<string, StoredValue> = { ...stored }
  let changed = false
  for (const val of sent) {
    if (val.inheritance === 'inherited') continue
    try {
      changed = mergeVal(merged, val, ruleOf) || changed
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push([keyOf(val), error.only])
    }
  }
  if (faults.length > 0) throw new ValueProblem('invalid', faults)
  return changed ? merged : stored
}

function mergeVal(merged: Record<string, StoredValue>, val: ValMessage, ruleOf: RuleOf): boolean {
  const rule = ruleOf(keyOf(val))
  if (rule instanceof Problem) throw rule
  if (rule.columns && !hasContent(val)) return clearTable(merged, rule, ruleOf)
  const before = Object.hasOwn(merged, rule.key) ? merged[rule.key] : undefined
  const tags = val.tags === undefined ? tagsOf(before) : val.tags.itm
  const plain = readPlain(val, rule, before === undefined ? undefined : plainOf(before))
  const after = plain === undefined || tags === undefined ? plain : tagged(plain, tags)
  return store(merged, rule, before, after)
}

function store(
  merged: Record<string, StoredValue>,
  rule: ValueRule,
  before: StoredValue | undefined,
  after: StoredValue | undefined,
): boolean {
  if (isSame(before, after)) return false
  if (rule.frozen !== undefined) refuse(rule.frozen)
  if (after === undefined) delete merged[rule.key]
  else merged[rule.key] = after
  return true
}

const hasContent = ({ itm, i18N }: ValMessage) => itm !== undefined || i18N !== undefined

function clearTable(merged: Record<string, StoredValue>, table: ValueRule, ruleOf: RuleOf): boolean {
  const stored = (table.columns ?? []).map((column) => columnKey(table.attr, column)).filter((key) => key in merged)
  if (stored.length > 0 && table.frozen !== undefined) refuse(table.frozen)
  const removed = stored.map((key) => {
    const rule = ruleOf(key)
    if (rule instanceof Problem) return false
    const before = merged[key]!
    return store(merged, rule, before, withHidden(undefined, plainOf(before), rule))
  })
  return removed.includes(true)
}

function readPlain(val: ValMessage, rule: ValueRule, before: Plain | undefined): Plain | undefined {
  if (rule.localized) return withHidden(readLocalized(val, rule, before), before, rule)
  if (val.i18N !== undefined) refuse(`is not localized, but values for ${val.i18N[0]?.loc ?? 'a locale'} were sent`)
  return readContent(val.itm ?? [], rule)
}

function readLocalized(val: ValMessage, rule: ValueRule, before: Plain | undefined): Localized | undefined {
  const groups = byLocale(val)
  if (groups.size === 0) return undefined
  const keep = before !== undefined && isLocalized(before) && val.mode !== 'full'
  const next: Record<string, string | List> = keep ? { ...before } : {}
  for (const [loc, items] of groups) {
    if (!isLocale.test(loc)) refuse(`${quoted(loc)} is not a locale; expected language and country like en_GB`)
    const content = readContent(items, rule)
    if (content === undefined) delete next[loc]
    else next[loc] = content
  }
  return Object.keys(next).length === 0 ? undefined : next
}

/** The value with the locales of `before` that the caller cannot see. Refuses to remove locales that the caller cannot edit. */
function withHidden(after: Plain | undefined, before: Plain | undefined, { inLocale }: ValueRule): Plain | undefined {
  if (!inLocale || before === undefined || !isLocalized(before)) return after
  const next: Record<string, string | List> = after !== undefined && isLocalized(after) ? { ...after } : {}
  for (const [loc, content] of Object.entries(before)) {
    const { visible, editable } = inLocale(loc)
    if (!visible) next[loc] = content
    else if (!editable && !(loc in next)) refuse(`has a value in ${loc}, which your roles do not allow to remove`)
  }
  return Object.keys(next).length === 0 ? undefined : next
}
const isLocale = /^[a-z]{2,3}_[A-Z]{2,3}$/

/** Items of a locale come together in an i18N, or each with its own loc. */
function byLocale({ itm = [], i18N = [] }: ValMessage): Map<string, ItemMessage[]> {
  const groups = new Map<string, ItemMessage[]>()
  const add = (loc: string | undefined, items: readonly ItemMessage[]) => {
    if (loc === undefined) return refuse('is localized; every value needs a locale in loc')
    const group = groups.get(loc)
    if (group) group.push(...items)
    else groups.set(loc, [...items])
  }
  for (const { loc, itm: items = [] } of i18N) add(loc, items)
  for (const item of itm) add(item.loc, [item])
  return groups
}

/** Reads the items of an attribute, or of one locale, as a single value or a list. */
function readContent(items: readonly ItemMessage[], rule: ValueRule): string | List | undefined {
  for (const { loc } of items) {
    if (loc !== undefined && !rule.localized) refuse(`is not localized, but a value for ${loc} was sent`)
  }
  if (rule.table !== undefined) return readRows(items, rule)
  if (rule.multiple) return readList(items, rule)
  if (items.length > 1) refuse(because('oneValue', { sent: items.length }))
  return items.length === 0 ? undefined : readItem(items[0]!, rule)
}

function readList(items: readonly ItemMessage[], rule: ValueRule): List | undefined {
  const list = inOrder(items).flatMap((item) => readItem(item, rule) ?? [])
  if (list.length > rule.cardinality) {
    refuse(because('tooManyValues', { max: rule.cardinality, sent: list.length }))
  }
  return list.length === 0 ? undefined : list
}

function inOrder(items: readonly ItemMessage[]): readonly ItemMessage[] {
  let ordered = true
  for (let i = 0; i < items.length && ordered; i++) ordered = (items[i]!.pos ?? i) === i
  if (ordered) return items
  const places = new Set(items.map(({ pos }, i) => Number(pos ?? i)))
  if (places.size < items.length) refuse('two values have the same position')
  return items
    .map((item, i) => ({ item, pos: Number(item.pos ?? i) }))
    .sort((a, b) => a.pos - b.pos)
    .map(({ item }) => item)
}

function readRows(items: readonly ItemMessage[], rule: ValueRule): List | undefined {
  const rows: List = []
  const most = Math.min(rule.cardinality, maxRows)
  items.forEach((item, i) => {
    const row = Number(item.pos ?? i)
    if (row < 0 || row >= most) refuse(`the row ${row} is not one of the ${most} rows that ${rule.table} may have`)
    if (rows[row] !== undefined) refuse(`the row ${row} has two values`)
    rows[row] = readItem(item, rule) ?? null
  })
  while (rows.length > 0 && rows.at(-1) == null) rows.pop()
  return rows.length === 0 ? undefined : Array.from(rows, (text) => text ?? null)
}

function readItem({ value, key }: ItemMessage, rule: ValueRule): string | undefined {
  if (rule.domain) return readDomain(value, key, rule, rule.domain)
  return value === undefined || value === '' || rule.isBlank?.(value) ? undefined : rule.read(value)
}

/** Accepts the key of a listed value or its label. An open list also accepts any other valid value. */
function readDomain(
  value: string | undefined,
  key: string | undefined,
  rule: ValueRule,
  { labels, byLabel, open }: NonNullable<ValueRule['domain']>,
): string | undefined {
  const sent = key ?? value
  if (sent === undefined || sent === '') return undefined
  if (labels.has(sent)) return sent
  const known = key === undefined ? byLabel.get(sent) : undefined
  if (known !== undefined) return known
  if (open) return rule.read(sent)
  const some = [...labels.keys()].slice(0, 10).join(', ')
  return refuse(because('notListed', { value: quoted(sent), known: labels.size > 10 ? `${some}, …` : some }))
}
