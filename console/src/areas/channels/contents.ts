/** The contents of a channel, and adding and removing them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { type Channel, channelsKey, useChannelChange } from './channels.ts'
import { texts } from './texts.ts'

/** At most this many objects of each kind are rendered; a channel can hold very many. */
export const maxCards = 200

export const productsOf = ({ links }: Channel): string[] => [
  ...new Set(
    (links?.itms ?? [])
      .filter(({ type }) => type === 'productToProject')
      .flatMap(({ itms = [] }) => itms.flatMap(({ itm = [] }) => itm.flatMap(({ value }) => value ?? []))),
  ),
]

export const assetsOf = ({ links }: Channel) =>
  (links?.itm ?? []).flatMap(({ key, value = '' }) => (key ? [{ tid: key, path: value }] : []))

/** The data of product cards, in one call for all that are rendered. */
export function useProductRows(tids: readonly string[]) {
  const { pim } = useClient()
  const visible = [...new Set(tids)].slice(0, maxCards)
  return useQuery({
    queryKey: ['products', 'rows', visible],
    queryFn: async () =>
      visible.length === 0 ? [] : ((await pim.pageProducts({ body: { tids: visible } })).products ?? []),
    placeholderData: keepPreviousData,
  })
}

/** Channel texts of the channel itself, not of its subchannels. */
export function useChannelPeos({ tid }: Channel) {
  const { peo } = useClient()
  return useQuery({
    queryKey: [...channelsKey, 'peos', tid],
    queryFn: async () => {
      const { tids = [] } = await peo.peos
        .query({ tidProject: tid!, withChildren: false })
        .catch(emptyWhenNotFound<{ tids?: string[] }>({}))
      const visible = tids.slice(0, maxCards)
      return { total: tids.length, peos: visible.length === 0 ? [] : await peo.peos.retrieve({ tids: visible }) }
    },
  })
}

export function useContentChanges({ tid }: Channel) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { common, dam, peo } = useClient()
  const change = useChannelChange()
  const projectTid = tid!
  const link = (type: string, key: string, value: string) => ({
    type,
    itms: [{ itm: toItems({ [key]: value, projectTid }) }],
  })
  const add = (type: string, key: string, tids: readonly string[]) =>
    change(async () => {
      await accepted(common.links.persist(tids.map((one) => link(type, key, one))))
      notifyDone(t('added', { count: tids.length }))
    })
  const addPeo = (peoTid: string) => accepted(peo['peos/links'].persist([link('peoToProject', 'peoTid', peoTid)]))
  const notifyRemoved = (name: string, undo: () => void) =>
    notifyDone(t('removed', { name }), { label: word('undo'), run: undo })
  return {
    addProducts: (tids: readonly string[]) => add('productToProject', 'productTid', tids),
    addAssets: (tids: readonly string[]) => add('assetToProject', 'assetTid', tids),
    removeAsset: (assetTid: string, name: string) =>
      change(async () => {
        const meta = { itm: toItems({ projectTid }) }
        await accepted(dam.assets.perform([{ type: 'unlink', tid: assetTid, meta }]))
        notifyRemoved(name, () => void add('assetToProject', 'assetTid', [assetTid]))
      }),
    removePeo: (peoTid: string, name: string) =>
      change(async () => {
        const meta = { itm: toItems({ peoTid, projectTid }) }
        await accepted(peo['peos/links'].perform([{ dataType: 'peoToProjectLink', type: 'unlink', meta }]))
        notifyRemoved(name, () => void change(() => addPeo(peoTid)))
      }),
  }
}
