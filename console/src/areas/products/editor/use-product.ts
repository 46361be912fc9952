/** Loads a product for its editor, and keeps the draft: unsaved changes of all items, saved together. */
import type { Attr, Infer } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { useContentLocale } from '../../../object/locales.ts'
import { modelKey, useDefinitions } from '../../../object/model.ts'
import { emptyWhenNotFound } from '../../../object/not-found.ts'
import { accepted } from '../../../object/records.ts'
import { type Attribute, toAttribute } from '../../../object/values/attribute.ts'
import { change, noChanges, type Texts, textsOf } from '../../../object/values/draft.ts'
import { productsKey } from '../list.ts'
import { type Draft, isInherited, type Item, itemKey, type ProductMessage, toItem, toMessage } from './product.ts'

type NodeAttribute = Infer<typeof Attr>

export const productKey = (tid: string) => ['products', 'one', tid]

export function useProduct(tid: string) {
  const { pim } = useClient()
  return useQuery({
    queryKey: productKey(tid),
    queryFn: async () => (await pim.products.retrieve({ tids: [tid] }))[0]!,
  })
}

/** The attributes of a category in order, followed by attributes that only have a value. */
export function useNodeAttributes(node: string | undefined): ReadonlyMap<string, Attribute> | undefined {
  const { pim } = useClient()
  const [locale] = useContentLocale()
  const definitions = useDefinitions()
  const ofNode = useQuery({
    queryKey: [...modelKey, 'attributes', node],
    enabled: node !== undefined,
    queryFn: () =>
      pim.attributes
        .retrieve({
          nodePaths: [node!],
          includeParentAttributes: true,
          withDomainValues: true,
          withDefaultValues: true,
        })
        .catch(emptyWhenNotFound<NodeAttribute[]>([])),
    staleTime: 60_000,
  })
  return useMemo(() => {
    if (!definitions.data || !ofNode.data) return undefined
    const known = new Map(definitions.data.map((one) => [one.tid, one]))
    const own = ofNode.data.flatMap((attr) => {
      const definition = known.get(attr.key ?? '')
      return definition ? [[definition.tid, toAttribute(definition, locale, attr)] as const] : []
    })
    const others = definitions.data.map((one) => [one.tid, toAttribute(one, locale)] as const)
    return new Map([...own, ...others.filter(([tid]) => !own.some(([key]) => key === tid))])
  }, [definitions.data, ofNode.data, locale])
}

export interface ItemsDraft {
  readonly draft: Draft
  readonly isChanged: boolean
  /** The number of values that differ from the stored ones. */
  readonly count: number
  /** The current value: the unsaved change, else the item's own stored value. */
  texts(item: Item, key: string, locale: string): Texts
  write(item: Item, key: string, locale: string, texts: Texts): void
  isWritten(item: Item, key: string, locale: string): boolean
  reset(): void
}
export interface ProductDraft extends ItemsDraft {
  readonly root: Item
  save(): Promise<void>
}

/** The unsaved changes of all items. */
export function useItemsDraft(): ItemsDraft {
  const [draft, setDraft] = useState<Draft>(new Map())
  const write = useCallback((item: Item, key: string, locale: string, texts: Texts) => {
    setDraft((before) => {
      const changes = change(before.get(itemKey(item)) ?? noChanges, key, locale, texts, ownTexts(item, key, locale))
      const next = new Map(before)
      if (changes.size === 0) next.delete(itemKey(item))
      else next.set(itemKey(item), changes)
      return next
    })
  }, [])
  const written = (item: Item, key: string, locale: string) => draft.get(itemKey(item))?.get(key)?.get(locale)
  return {
    draft,
    isChanged: draft.size > 0,
    count: [...draft.values()].reduce(
      (sum, changes) => sum + [...changes.values()].reduce((all, { size }) => all + size, 0),
      0,
    ),
    texts: (item, key, locale) => written(item, key, locale) ?? ownTexts(item, key, locale),
    write,
    isWritten: (item, key, locale) => written(item, key, locale) !== undefined,
    reset: () => setDraft(new Map()),
  }
}

export function useProductDraft(
  product: ProductMessage,
  attributeOf: (key: string) => Attribute | undefined,
): ProductDraft {
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const items = useItemsDraft()
  const root = useMemo(() => toItem(product), [product])
  return {
    ...items,
    root,
    async save() {
      await accepted(pim.products.persist([toMessage(root, items.draft, attributeOf)]))
      await queryClient.invalidateQueries({ queryKey: productKey(root.tid) })
      items.reset()
      for (const key of [productsKey, ['completeness'], ['products', 'history']])
        void queryClient.invalidateQueries({ queryKey: key })
    },
  }
}

/** The item's own values; inherited ones are displayed but not edited. */
const ownTexts = (item: Item, key: string, locale: string): Texts => {
  const val = item.vals.get(key)
  return isInherited(val) ? [] : textsOf(val, locale)
}
