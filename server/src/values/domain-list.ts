/**
 * Lists of values (`domainVals`) as they are sent and stored, for definitions and for attributes on nodes.
 *
 * A list that is sent is merged into the stored one by tid; with mode FULL it replaces it. It is stored in the order of
 * its replies: as sent (MANUAL), or by label (ASC, DESC).
 */
import { because } from '@kontor/contract'
import type { DomainVal, DomainVals, Infer } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { checkLocale, findLocales } from '../common/api.ts'
import { cleanName } from '../core/batch/names.ts'
import { Problem } from '../errors.ts'

export type DomainList = Infer<typeof DomainVals>
type Value = Infer<typeof DomainVal>
/** The tid of a locale by its id. */
export type LocaleOf = (id: unknown) => string | undefined

export async function loadLocales(db: Db): Promise<LocaleOf> {
  const tids = new Map<unknown, string>((await findLocales.ALL(db)).map(({ id, tid }) => [id, tid]))
  return (id) => tids.get(id)
}

const sortDirections = ['MANUAL', 'ASC', 'DESC']
const modes = ['FULL', 'DELTA']

/** The list to store, or undefined if nothing is left of it. */
export function mergeList(
  stored: DomainList | undefined,
  sent: DomainList,
  localeOf: LocaleOf,
): DomainList | undefined {
  const mode = sent.mode?.toUpperCase() ?? 'DELTA'
  if (!modes.includes(mode))
    throw new Problem('invalid', `domainVals: unknown mode ${sent.mode}; expected FULL or delta`)
  const values = new Map((mode === 'FULL' ? [] : (stored?.domainVal ?? [])).map((value) => [value.tid, value]))
  const named = new Set<string>()
  for (const value of sent.domainVal ?? []) {
    const tid = cleanName('domainVals: the tid of a value', value.tid)
    if (named.has(tid)) throw new Problem('invalid', because('valueTwice', { value: tid }))
    named.add(tid)
    values.set(tid, { tid, ...labelsOf(tid, value, values.get(tid)) })
  }
  const { allowNewValue = stored?.allowNewValue, sortLanguageId = stored?.sortLanguageId } = sent
  const sortDirection = (sent.sortDirection ?? stored?.sortDirection ?? 'MANUAL').toUpperCase()
  if (!sortDirections.includes(sortDirection)) {
    throw new Problem(
      'invalid',
      `domainVals: unknown sortDirection ${sortDirection}; expected ${sortDirections.join(', ')}`,
    )
  }
  if (sortLanguageId !== undefined && localeOf(sortLanguageId) === undefined) {
    throw new Problem('invalid', `domainVals: no locale has the id ${sortLanguageId}; see /common/locales/retrieve`)
  }
  if (values.size === 0 && allowNewValue !== 'true') return undefined
  return sorted(
    {
      domainVal: [...values.values()],
      allowNewValue: allowNewValue ?? 'false',
      sortDirection,
      ...(sortLanguageId !== undefined && { sortLanguageId }),
    },
    localeOf,
  )
}

/** Merges labels by locale; a label without text is removed. */
function labelsOf(tid: string, sent: Value, stored: Value | undefined): Pick<Value, 'itm'> {
  const labels = new Map((stored?.itm ?? []).map((item) => [item.loc ?? '', item]))
  for (const { loc, value } of sent.itm ?? []) {
    if (loc !== undefined) checkLocale(`domainVals: a label of ${tid}`, loc)
    if (value === undefined) labels.delete(loc ?? '')
    else labels.set(loc ?? '', { value, ...(loc !== undefined && { loc }) })
  }
  return labels.size > 0 ? { itm: [...labels.values()] } : {}
}

function sorted(list: DomainList, localeOf: LocaleOf): DomainList {
  const { sortDirection, sortLanguageId, domainVal = [] } = list
  if (sortDirection === 'MANUAL') return list
  const locale = sortLanguageId === undefined ? undefined : localeOf(sortLanguageId)
  const { compare } = new Intl.Collator(locale?.slice(0, locale.indexOf('_')) ?? 'en', { numeric: true })
  const order = sortDirection === 'ASC' ? 1 : -1
  const values = domainVal.toSorted((a, b) => order * compare(labelOf(a, locale), labelOf(b, locale)))
  return { ...list, domainVal: values }
}

const labelOf = ({ tid, itm = [] }: Value, locale: string | undefined) =>
  (itm.find(({ loc }) => loc === locale) ?? itm[0])?.value ?? tid

/** Adds a value to the list, unless one already has this key or label. Returns the list and the key of the value. */
export function addValue(
  list: DomainList,
  text: string,
  localeOf: LocaleOf,
  hasLabel = true,
): { list: DomainList; key: string } {
  const key = cleanName('domainValue', text)
  const known = list.domainVal?.find(({ tid, itm }) => tid === key || itm?.some(({ value }) => value === key))
  if (known) return { list, key: known.tid }
  const added = { tid: key, ...(hasLabel && { itm: [{ value: key }] }) }
  return { list: sorted({ ...list, domainVal: [...(list.domainVal ?? []), added] }, localeOf), key }
}

/** The list in a reply: it is complete, so its mode is FULL. */
export const fullList = (list: DomainList): DomainList => ({ ...list, mode: 'FULL' })
