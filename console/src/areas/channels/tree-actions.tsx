/** What can be done to a channel in the tree. A move can be undone; a deletion says before what goes with it. */
import { useClient } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { accepted } from '../../object/records.ts'
import { askName } from '../../ui/ask-name.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellDone, tellFailed } from '../../ui/tell.tsx'
import type { DropSpot } from '../../ui/tree/tree.tsx'
import { words } from '../../ui/words.ts'
import { type Channel, orderOf, useChannelChange } from './channels.ts'
import { ordersFor } from './order.ts'
import { texts } from './texts.ts'

interface Surroundings {
  readonly known: ReadonlyMap<string, Channel>
  /** Undefined where they were not loaded. */
  readonly brothersOf: (parent: string) => readonly Channel[] | undefined
  readonly onChoose: (tid: string | undefined) => void
}
const kinds = ['product', 'peo', 'asset', 'project'] as const

export function useTreeActions({ known, brothersOf, onChoose }: Surroundings) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const { cm } = useClient()
  const change = useChannelChange()

  const move = async (tid: string, target: string, spot: DropSpot) => {
    const [channel, goal] = [known.get(tid), known.get(target)]
    if (!channel || !goal) return
    const parentTid = spot === 'into' ? target : (goal.parentTid ?? '')
    const brothers = (brothersOf(parentTid) ?? []).filter((one) => one.tid !== tid)
    const at = brothers.findIndex((one) => one.tid === target)
    const index = spot === 'into' ? brothers.length : at + (spot === 'after' ? 1 : 0)
    const isUnseen = spot === 'into' && !brothersOf(parentTid) // then the server puts it last
    const order = brothers.map((one) => ({ tid: one.tid!, order: orderOf(one) }))
    const changes = isUnseen
      ? [{ tid, parentTid }]
      : ordersFor(order, tid, index).map((one) => ({
          tid: one.tid,
          orderSequence: one.order,
          ...(one.tid === tid && { parentTid }),
        }))
    const before = [channel, ...brothers].map((one) => ({
      tid: one.tid!,
      parentTid: one.parentTid ?? '',
      orderSequence: orderOf(one),
    }))
    const touched = new Set(changes.map((one) => one.tid))
    const undo = () =>
      void change(() =>
        accepted(
          cm.channels.persist(
            before.filter((one) => touched.has(one.tid)),
            { atomic: true },
          ),
        ),
      )
    await change(async () => {
      await accepted(cm.channels.persist(changes, { atomic: true }))
      tellDone(t('moved', { name: channel.name ?? tid }), { label: word('undo'), run: undo })
    })
  }

  const rename = ({ tid, name = '' }: Channel) => {
    const question = { title: word('rename'), label: t('channelName'), before: name }
    askName({ ...question, confirm: word('save'), cancel: word('cancel') }, (next) => {
      void change(() => accepted(cm.channels.persist([{ tid: tid!, name: next }])))
    })
  }

  const remove = async ({ tid = '', name = tid, parentTid }: Channel) => {
    try {
      const { objects: [found] = [] } = await cm.retrieveWhereUsed({ body: { dataType: 'project', tids: [tid] } })
      const count = Number(found?.total ?? 0)
      const listed = kinds.flatMap((kind) => {
        const uses = (found?.uses ?? []).filter((use) => use.dataType === kind).length
        return uses > 0 ? [`${uses} ${t(kind)}`] : []
      })
      const broken = count === 0 ? t('deleteFree') : `${t('deleteUsed', { count })} ${listed.join(', ')}.`
      confirmDanger({
        title: t('deleteTitle', { name }),
        body: `${broken} ${t('deleteForever')}`,
        confirm: word('delete'),
        cancel: word('cancel'),
        onConfirm: () =>
          void change(async () => {
            const meta = count > 0 ? { meta: { itm: toItems({ force: 'true' }) } } : {}
            await accepted(cm['channels/actions'].perform([{ type: 'delete', tid, ...meta }]))
            onChoose(parentTid)
            tellDone(t('deleted', { name }))
          }),
      })
    } catch (error) {
      tellFailed(word('failed'), error)
    }
  }
  return { move, rename, remove }
}
