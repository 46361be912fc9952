/** Actions on a channel in the tree. A move can be undone; a deletion lists first what is deleted with it. */
import { useClient } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { accepted } from '../../object/records.ts'
import { askName } from '../../ui/ask-name.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import type { DropSpot } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { type Channel, orderOf, useChannelChange } from './channels.ts'
import { ordersFor } from './order.ts'
import { texts } from './texts.ts'

interface TreeContext {
  readonly known: ReadonlyMap<string, Channel>
  /** Undefined when they are not loaded. */
  readonly siblingsOf: (parent: string) => readonly Channel[] | undefined
  readonly onChoose: (tid: string | undefined) => void
}
const kinds = ['product', 'peo', 'asset', 'project'] as const

export function useTreeActions(context: TreeContext) {
  const { known, onChoose } = context
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { cm } = useClient()
  const change = useChannelChange()

  const move = async (tid: string, target: string, spot: DropSpot) => {
    const channel = known.get(tid)
    const plan = channel && planMove(context, channel, target, spot)
    if (!plan) return
    const undo = () => void change(() => accepted(cm.channels.persist(plan.reverse, { atomic: true })))
    await change(async () => {
      await accepted(cm.channels.persist(plan.changes, { atomic: true }))
      notifyDone(t('moved', { name: channel.name ?? tid }), { label: word('undo'), run: undo })
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
            notifyDone(t('deleted', { name }))
          }),
      })
    } catch (error) {
      notifyFailed(word('failed'), error)
    }
  }
  return { move, rename, remove }
}

/** The changes of a move, and those that reverse it. */
function planMove({ known, siblingsOf }: TreeContext, channel: Channel, target: string, spot: DropSpot) {
  const tid = channel.tid!
  const targetChannel = known.get(target)
  if (!targetChannel) return undefined
  const parentTid = spot === 'into' ? target : (targetChannel.parentTid ?? '')
  const siblings = (siblingsOf(parentTid) ?? []).filter((one) => one.tid !== tid)
  const targetIndex = siblings.findIndex((one) => one.tid === target)
  const index = spot === 'into' ? siblings.length : targetIndex + (spot === 'after' ? 1 : 0)
  const isUnloaded = spot === 'into' && !siblingsOf(parentTid) // then the server appends it
  const positions = siblings.map((one) => ({ tid: one.tid!, order: orderOf(one) }))
  const changes = isUnloaded
    ? [{ tid, parentTid }]
    : ordersFor(positions, tid, index).map((one) => ({
        tid: one.tid,
        orderSequence: one.order,
        ...(one.tid === tid && { parentTid }),
      }))
  const changed = new Set(changes.map((one) => one.tid))
  const reverse = [channel, ...siblings]
    .filter((one) => changed.has(one.tid!))
    .map((one) => ({ tid: one.tid!, parentTid: one.parentTid ?? '', orderSequence: orderOf(one) }))
  return { changes, reverse }
}
