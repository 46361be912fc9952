/** Changes of the links of a product: pictures, related products and channels. Each is stored at once and can be undone. */
import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '../../../object/change.ts'
import { useClient } from '../../../object/client.tsx'
import { toItems } from '../../../object/items.ts'
import type { Linked } from '../../../object/links.ts'
import { accepted } from '../../../object/records.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { productsKey } from '../list.ts'
import { texts } from './texts.ts'
import { productKey } from './use-product.ts'

type Kind = 'assetToProduct' | 'productToProduct' | 'productToProject'

export interface SentRelation {
  /** The tids of both ends, by the keys that links name them with. */
  readonly ends: Record<string, string>
  readonly type: string
  readonly pos?: number | undefined
  readonly quantity?: string | undefined
}

export function useLinkChanges(rootTid: string) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { common } = useClient()
  const queries = useQueryClient()
  const change = useChange(
    productKey(rootTid),
    ['completeness'],
    ['products', 'history'],
    ['used', rootTid],
    ['relations'],
    productsKey,
  )

  const group = (type: Kind, ends: Record<string, string>, linkType: string, pos?: number, quantity?: string) => ({
    type,
    itms: [
      {
        ...(linkType && { type: linkType }),
        itm: toItems({ ...ends, ...(quantity && { quantity }) }).map((item) =>
          pos !== undefined && /^(asset|target)/.test(item.key ?? '') ? { ...item, pos } : item,
        ),
      },
    ],
  })
  const add = (...groups: ReturnType<typeof group>[]) => accepted(common.links.persist(groups))
  const remove = (kind: Kind, ends: Record<string, string>, linkType: string) =>
    accepted(
      common['links/actions'].perform([
        { type: 'unlink', dataType: `${kind}Link`, meta: { itm: toItems({ ...ends, linkType }) } },
      ]),
    )
  const removed = (name: string, again: () => Promise<unknown>) =>
    notifyDone(t('unlinked', { name }), { label: word('undo'), run: () => void change(again) })

  const pictureEnds = (productTid: string, assetTid: string) => ({ assetTid, productTid })
  return {
    /** Links files behind those that are there. */
    addPictures: (owner: string, tids: readonly string[], first: number) =>
      change(async () => {
        await add(...tids.map((tid, i) => group('assetToProduct', pictureEnds(owner, tid), '', first + i)))
        notifyDone(t('linked', { count: tids.length }))
        await queries.invalidateQueries({ queryKey: ['pictures'] })
      }),
    orderPictures: (owner: string, pictures: readonly Linked[]) =>
      change(() =>
        add(...pictures.map(({ tid, linkType }, i) => group('assetToProduct', pictureEnds(owner, tid), linkType, i))),
      ),
    /** Adds the link with the new role before the old one is removed, so that the picture is never lost. */
    setRole: (owner: string, { tid, linkType }: Linked, role: string, pos: number) =>
      change(async () => {
        if (role === linkType) return
        await add(group('assetToProduct', pictureEnds(owner, tid), role, pos))
        await remove('assetToProduct', pictureEnds(owner, tid), linkType)
      }),
    removePicture: (owner: string, { tid, linkType }: Linked, pos: number, name: string) =>
      change(async () => {
        await remove('assetToProduct', pictureEnds(owner, tid), linkType)
        removed(name, () => add(group('assetToProduct', pictureEnds(owner, tid), linkType, pos)))
      }),
    /** Adds relations, or gives them another place or quantity. */
    relate: (...relations: readonly SentRelation[]) =>
      change(() =>
        add(...relations.map(({ ends, type, pos, quantity }) => group('productToProduct', ends, type, pos, quantity))),
      ),
    unrelate: ({ ends, type, pos, quantity }: SentRelation, name: string) =>
      change(async () => {
        await remove('productToProduct', ends, type)
        removed(name, () => add(group('productToProduct', ends, type, pos, quantity)))
      }),
    place: (projectTid: string) =>
      change(async () => {
        await add(group('productToProject', { productTid: rootTid, projectTid }, ''))
        notifyDone(t('placed'))
      }),
    withdraw: ({ tid, linkType }: Linked, name: string) =>
      change(async () => {
        const ends = { productTid: rootTid, projectTid: tid }
        await remove('productToProject', ends, linkType)
        removed(name, () => add(group('productToProject', ends, linkType)))
      }),
  }
}
