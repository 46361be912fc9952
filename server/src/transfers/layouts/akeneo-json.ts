/** Objects of Akeneo's JSON as the rows of its CSV, so that both are read by the same rules. */

type Value = string | number | boolean | null | undefined | Value[] | { readonly [name: string]: Value }
type Fields = Readonly<Record<string, Value>>

/** Parts of the API that are not data. */
const skipped = new Set(['_links', 'created', 'updated', 'metadata', 'quality_scores', 'completenesses'])

export function flatten(object: object): ReadonlyMap<string, string> {
  const record = new Map<string, string>()
  const { values = {}, labels = {}, associations = {}, quantified_associations: quantified = {}, ...rest } = object as Fields // prettier-ignore
  for (const [name, value] of Object.entries(rest)) if (!skipped.has(name)) record.set(name, textOf(value))
  for (const [locale, label] of Object.entries(fieldsOf(labels))) record.set(`label-${locale}`, textOf(label))
  for (const [type, linked] of Object.entries(fieldsOf(associations)))
    for (const [kind, list] of Object.entries(fieldsOf(linked))) record.set(`${type}-${kind}`, textOf(list))
  for (const [type, linked] of Object.entries(fieldsOf(quantified)))
    for (const [kind, list] of Object.entries(fieldsOf(linked))) addQuantities(record, `${type}-${kind}`, list)
  for (const [code, list] of Object.entries(fieldsOf(values)))
    for (const one of Array.isArray(list) ? list : []) addValue(record, code, fieldsOf(one))
  return record
}

const fieldsOf = (value: Value): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) // prettier-ignore

function addValue(record: Map<string, string>, code: string, { locale, scope, data }: Fields): void {
  const suffix = [locale, scope].flatMap((part) => (typeof part === 'string' ? `-${part}` : [])).join('')
  const set = (value: Value, part = '') => record.set(`${code}${suffix}${part}`, textOf(value))
  const { amount, unit } = fieldsOf(data)
  if (unit !== undefined) {
    set(amount)
    set(unit, '-unit')
  } else if (Array.isArray(data) && data.some((one) => 'currency' in fieldsOf(one))) {
    for (const one of data) set(fieldsOf(one).amount, `-${textOf(fieldsOf(one).currency)}`)
  } else set(data)
}

/** A page of Akeneo with uuids has products without an identifier. */
function addQuantities(record: Map<string, string>, heading: string, list: Value): void {
  const linked = (Array.isArray(list) ? list : []).map(fieldsOf)
  record.set(heading, textOf(linked.map(({ identifier, uuid }) => identifier ?? uuid)))
  record.set(`${heading}-quantity`, textOf(linked.map(({ quantity }) => quantity)))
}

/** Codes have no commas. */
function textOf(value: Value): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(textOf).join(',')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
