/** Creates what the data model lacks for the columns of a file: an attribute, and the first category. */
import { useContentLocale } from '../../../object/locales.ts'
import { useModelChange } from '../../../object/model-change.ts'
import { useClassificationTree, useDefinitions } from '../../../object/model.ts'
import { newId } from '../../../object/new-id.ts'
import { accepted } from '../../../object/records.ts'
import { attributeColumn, type NewType, withColumn, withNotation } from './attribute-column.ts'
import { useTransferChange } from '../use-transfers.ts'
import { withConstant } from './constants.ts'
import type { Column, MappingState, Profile } from './use-mapping.ts'

export interface NewAttribute {
  readonly name: string
  readonly type: NewType
  readonly localized: boolean
  readonly multiValued: boolean
}

/** Fields of tables. An attribute with such a tid would have the same heading. */
const fields = ['tid', 'name', 'node', 'asset', 'relation', 'status', 'message', 'ignore', 'deleted']

/** Creates an attribute for a column, assigns it to the categories of the products, and makes it the target of the column. */
export function useCreateAttribute({ profile, edit, guess, query }: MappingState) {
  const { pim, run, mayNodes } = useModelChange()
  const change = useTransferChange()
  const definitions = useDefinitions()
  const { data: nodes = [] } = useClassificationTree()
  const [locale] = useContentLocale()
  return async (column: string, target: Column | undefined, { name, type, localized, multiValued }: NewAttribute) => {
    let tid = ''
    const isCreated = await run(async () => {
      // The IDs of now, because persisting a taken one would change its attribute.
      const { data: known = [] } = await definitions.refetch({ throwOnError: true })
      tid = newId(name, [...known.map((one) => one.tid), ...fields])
      const label = { itm: [{ value: name, loc: locale }] }
      const facts = { ...(localized && { localized: 'true' as const }), ...(multiValued && { multiValued: { value: 'true' as const } }) } // prettier-ignore
      await accepted(pim['attribute-definitions'].persist([{ tid, type, name: label, ...facts }]))
    })
    if (!isCreated) return false
    const roots = nodes.flatMap(({ parentId, path = '' }) => (parentId === undefined ? [path] : []))
    const homes = homesOf(profile, query.data?.columns ?? [], roots)
    if (mayNodes && homes.length > 0)
      await run(() => accepted(pim.attributes.persist(homes.map((nodePath) => ({ nodePath, key: tid })))))
    const made = attributeColumn(column, target, tid, localized ? (target?.locale ?? locale) : undefined)
    const mapped = withColumn(profile, made)
    await edit(mapped)
    if (type === 'text') return true
    await change(async () => edit(withNotation(mapped, (await guess()).profile ?? {})))
    return true
  }
}

/** The category of all rows, or else the classifications of the column with categories, or else the only one. */
function homesOf(
  { constants, columns = [] }: Profile,
  read: NonNullable<NonNullable<MappingState['query']['data']>['columns']>,
  roots: readonly string[],
): readonly string[] {
  const path = constants?.['node']
  if (path !== undefined) return [path]
  const column = columns.find(({ field }) => field === 'node')?.column
  const samples = read.find((one) => one.column === column)?.samples ?? []
  const named = new Set(samples.flatMap(({ value = '' }) => /^\/[^/]+/.exec(value)?.[0] ?? []))
  const found = roots.filter((root) => named.has(root))
  return found.length > 0 || roots.length > 1 ? found : roots
}

/**
 * Creates the first category, for all rows, with the attributes of the columns. Columns with categories are left out: none of
 * their categories exists.
 */
export function useCreateCategory({ profile, edit }: MappingState) {
  const { pim, run } = useModelChange()
  const [locale] = useContentLocale()
  return async (name: string) => {
    const tid = newId(name)
    const created = { tid, name: { itm: [{ value: name, loc: locale }] } }
    if (!(await run(() => accepted(pim.classes.persist([created]))))) return false
    const nodePath = `/${tid}`
    const keys = new Set((profile.columns ?? []).flatMap(({ attr }) => attr?.split('/')[0] ?? []))
    if (keys.size > 0) await run(() => accepted(pim.attributes.persist([...keys].map((key) => ({ nodePath, key })))))
    const columns = (profile.columns ?? []).map((one) =>
      one.field === 'node' ? { column: one.column, field: 'ignore' as const } : one,
    )
    await edit(withConstant({ ...profile, columns }, 'node', nodePath))
    return true
  }
}
