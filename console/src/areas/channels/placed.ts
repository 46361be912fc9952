/** What is placed in a channel, and how something is placed or taken out again. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { type Channel, channelsKey, useChannelChange } from './channels.ts'
import { texts } from './texts.ts'

/** A channel can hold very many; so many of each kind are drawn. */
export const mostShown = 200

export const productsOf = ({ links }: Channel): string[] => [
  ...new Set(
    (links?.itms ?? [])
      .filter(({ type }) => type === 'productToProject')
      .flatMap(({ itms = [] }) => itms.flatMap(({ itm = [] }) => itm.flatMap(({ value }) => value ?? []))),
  ),
]

export const assetsOf = ({ links }: Channel) =>
  (links?.itm ?? []).flatMap(({ key, value = '' }) => (key ? [{ tid: key, path: value }] : []))

/** Products as cards show them: one call for all that are drawn. */
export function useProductRows(tids: readonly string[]) {
  const { pim } = useClient()
  const shown = [...new Set(tids)].slice(0, mostShown)
  return useQuery({
    queryKey: ['products', 'rows', shown],
    queryFn: async () =>
      shown.length === 0 ? [] : ((await pim.pageProducts({ body: { tids: shown } })).products ?? []),
    placeholderData: keepPreviousData,
  })
}

/** Extensions of the channel itself, not of those below it. */
export function useChannelPeos({ tid }: Channel) {
  const { peo } = useClient()
  return useQuery({
    queryKey: [...channelsKey, 'peos', tid],
    queryFn: async () => {
      const { tids = [] } = await peo.peos
        .query({ tidProject: tid!, withChildren: false })
        .catch(emptyWhenNotFound<{ tids?: string[] }>({}))
      const shown = tids.slice(0, mostShown)
      return { total: tids.length, shown: shown.length === 0 ? [] : await peo.peos.retrieve({ tids: shown }) }
    },
  })
}

export function usePlacing({ tid }: Channel) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const { common, dam, peo } = useClient()
  const change = useChannelChange()
  const projectTid = tid!
  const group = (type: string, key: string, value: string) => ({
    type,
    itms: [{ itm: toItems({ [key]: value, projectTid }) }],
  })
  const place = (type: string, key: string, tids: readonly string[]) =>
    change(async () => {
      await accepted(common.links.persist(tids.map((one) => group(type, key, one))))
      tellDone(t('placedDone', { count: tids.length }))
    })
  const placePeo = (peoTid: string) => accepted(peo['peos/links'].persist([group('peoToProject', 'peoTid', peoTid)]))
  const takenOut = (name: string, undo: () => void) =>
    tellDone(t('takenOut', { name }), { label: word('undo'), run: undo })
  return {
    placeProducts: (tids: readonly string[]) => place('productToProject', 'productTid', tids),
    placeAssets: (tids: readonly string[]) => place('assetToProject', 'assetTid', tids),
    takeAssetOut: (assetTid: string, name: string) =>
      change(async () => {
        const meta = { itm: toItems({ projectTid }) }
        await accepted(dam.assets.perform([{ type: 'unlink', tid: assetTid, meta }]))
        takenOut(name, () => void place('assetToProject', 'assetTid', [assetTid]))
      }),
    takePeoOut: (peoTid: string, name: string) =>
      change(async () => {
        const meta = { itm: toItems({ peoTid, projectTid }) }
        await accepted(peo['peos/links'].perform([{ dataType: 'peoToProjectLink', type: 'unlink', meta }]))
        takenOut(name, () => void change(() => placePeo(peoTid)))
      }),
  }
}
