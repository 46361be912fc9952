/**
 * Loads a product for its editor, and keeps the draft: unsaved changes of all items, saved together. They survive in the
 * browser until they are saved or discarded. A save is based on the version that was just read; values that somebody
 * else has changed meanwhile are not overwritten, but returned as collisions.
 */
import type { Attr, Infer } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Client, KontorError } from '@kontor/sdk'
import { useClient, useEditRefusal, useMe } from '../../../object/client.tsx'
import { useContentLocale } from '../../../object/locales.ts'
import { modelKey, useDefinitions } from '../../../object/model.ts'
import { emptyWhenNotFound } from '../../../object/not-found.ts'
import { accepted } from '../../../object/records.ts'
import { type Attribute, toAttribute } from '../../../object/values/attribute.ts'
import { type Texts, textsOf } from '../../../object/values/draft.ts'
import {
  afterSaving,
  changesByItem,
  type Collision,
  compare,
  decide,
  editAt,
  type Edits,
  withEdit,
} from '../../../object/values/edits.ts'
import { storedDraft } from '../../../object/stored-draft.ts'
import { productsKey } from '../list.ts'
import {
  allOf,
  type Draft,
  isInherited,
  type Item,
  itemKey,
  type ProductMessage,
  toItem,
  toMessage,
} from './product.ts'

type NodeAttribute = Infer<typeof Attr>

export const productKey = (tid: string) => ['products', 'one', tid]

/** The product with its ETag. */
export const productQuery = ({ pim }: Client, tid: string) => ({
  queryKey: productKey(tid),
  queryFn: async () => (await pim.products.retrieveTagged({ tids: [tid] }))!,
})

export function useProduct(tid: string) {
  return useQuery({ ...productQuery(useClient(), tid), select: ({ object }) => object })
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

type EditRefusal = ReturnType<ReturnType<typeof useEditRefusal>>

export interface ItemsDraft {
  readonly draft: Draft
  readonly isChanged: boolean
  /** The number of values that differ from the stored ones. */
  readonly count: number
  /** The current value: the unsaved change, else the item's own stored value. */
  texts(item: Item, key: string, locale: string): Texts
  write(item: Item, key: string, locale: string, texts: Texts): void
  isWritten(item: Item, key: string, locale: string): boolean
  /** Why the user may not write a value; undefined if they may. */
  refusal(key: string, locale: string): EditRefusal
  reset(): void
}
export interface ProductDraft extends ItemsDraft {
  readonly root: Item
  /** When the changes were written that were found in the browser; undefined if there were none. */
  readonly foundFrom: Date | undefined
  /** Saves everything, or nothing if values collide with what somebody else has saved. */
  save(): Promise<readonly Collision[]>
  /** Decides collisions: these stay mine, the others are given up. Then saves. */
  settle(collisions: readonly Collision[], mine: ReadonlySet<Collision>): Promise<readonly Collision[]>
}

/** The unsaved changes of all items. */
export const useItemsDraft = (): ItemsDraft => useEdits([])[0]

function useEdits(first: Edits) {
  const [edits, setEdits] = useState(first)
  const write = useCallback((item: Item, key: string, locale: string, texts: Texts) => {
    const place = { item: itemKey(item), key, locale }
    setEdits((before) => withEdit(before, place, texts, ownTexts(item, key, locale)))
  }, [])
  const draft = useMemo(() => changesByItem(edits), [edits])
  const written = (item: Item, key: string, locale: string) =>
    editAt(edits, { item: itemKey(item), key, locale })?.texts
  const items: ItemsDraft = {
    draft,
    isChanged: edits.length > 0,
    count: edits.length,
    texts: (item, key, locale) => written(item, key, locale) ?? ownTexts(item, key, locale),
    write,
    isWritten: (item, key, locale) => written(item, key, locale) !== undefined,
    refusal: () => undefined,
    reset: () => setEdits([]),
  }
  return [items, edits, setEdits] as const
}

export function useProductDraft(
  product: ProductMessage,
  attributeOf: (key: string) => Attribute | undefined,
): ProductDraft {
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const root = useMemo(() => toItem(product), [product])
  const query = productQuery(useClient(), root.tid)
  const { id = '' } = useMe()
  const stored = useMemo(() => storedDraft<Edits>(id, `product.${root.tid}`), [id, root.tid])
  const [found] = useState(stored.read)
  const [items, edits, setEdits] = useEdits(found?.changes ?? [])
  useEffect(() => stored.write(edits.length > 0 ? edits : undefined), [stored, edits])

  /** Compares with what is stored now, sends, and begins again if somebody else was faster. */
  const saveEdits = async (edits: Edits): Promise<readonly Collision[]> => {
    for (;;) {
      const { object, etag } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      const now = toItem(object)
      const { open, collisions } = compare(edits, storedIn(now))
      if (collisions.length > 0) return collisions
      const message = toMessage(now, changesByItem(open), attributeOf)
      if (open.length === 0 || (await sendIfUnchanged(message, etag))) break
    }
    await queryClient.invalidateQueries({ queryKey: query.queryKey })
    setEdits((now) => afterSaving(now, edits))
    for (const key of [productsKey, ['completeness'], ['products', 'history'], ['products', 'translations']])
      void queryClient.invalidateQueries({ queryKey: key })
    return []
  }
  /** false: the product has changed since it was read. */
  const sendIfUnchanged = (message: ProductMessage, etag: string | undefined) =>
    accepted(pim.products.persist([message], etag === undefined ? {} : { ifMatch: etag })).then(
      () => true,
      (error: unknown) => {
        if (error instanceof KontorError && error.status === 412) return false
        throw error
      },
    )
  return {
    ...items,
    refusal: useEditRefusal('product', 'node', product.node ?? ''),
    root,
    foundFrom: found && new Date(found.at),
    reset() {
      stored.write(undefined) // at once, because the page may be left before the change is drawn
      items.reset()
    },
    save: () => saveEdits(edits),
    settle(collisions, mine) {
      const decided = collisions.reduce((left, one) => decide(left, one, mine.has(one)), edits)
      setEdits(decided)
      return saveEdits(decided)
    },
  }
}

/** The item's own values; inherited ones are displayed but not edited. */
const ownTexts = (item: Item, key: string, locale: string): Texts => {
  const val = item.vals.get(key)
  return isInherited(val) ? [] : textsOf(val, locale)
}

function storedIn(root: Item) {
  const items = new Map(allOf(root).map((item) => [itemKey(item), item]))
  return ({ item, key, locale }: { item: string; key: string; locale: string }) => {
    const found = items.get(item)
    return found && ownTexts(found, key, locale)
  }
}
