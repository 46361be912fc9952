/** Creates, moves, renames and deletes keywords. A keyword is identified by its path, which changes when it moves. */
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { technicalName, toItems, trimmedName } from '../../object/items.ts'
import { type KeywordMessage, parentOf } from '../../object/keyword-branches.ts'
import { accepted } from '../../object/records.ts'
import { askName } from '../../ui/ask-name.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

export function useKeywordActions(onChoose: (path: string | undefined) => void) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { common, cm } = useClient()
  const run = useChange(['keywords'])
  const confirmDelete = useConfirmDelete()
  const send = (path: string, target: string) => {
    const meta = { itm: toItems({ destinationParentPath: target || '/' }) }
    return accepted(common.keywords.perform([{ type: 'move', path, meta }]))
  }

  return {
    create: (below: string) =>
      askName(
        { title: t('newKeyword'), label: t('technicalName'), confirm: word('create'), cancel: word('cancel') },
        (name) =>
          void run(async () => {
            const parent = below && { parentPath: below }
            await accepted(common.keywords.persist([{ name: { itm: [{ value: name }] }, ...parent }]))
            onChoose(`${below}/${name}`)
            notifyDone(t('created', { name }))
          }),
      ),
    /** An empty target is the top of the tree. */
    move: (path: string, target: string) => {
      if (parentOf(path) === target) return
      const name = path.slice(parentOf(path).length + 1)
      const moved = `${target}/${name}`
      const undo = () =>
        void run(async () => {
          await send(moved, parentOf(path))
          onChoose(path)
        })
      void run(async () => {
        await send(path, target)
        onChoose(moved)
        notifyDone(t('moved', { name }), { label: word('undo'), run: undo })
      })
    },
    save: (keyword: KeywordMessage, name: NonNullable<KeywordMessage['name']>) =>
      run(async () => {
        const trimmed = trimmedName(name)
        await accepted(common.keywords.persist([{ id: keyword.id!, name: trimmed }]))
        onChoose(`${parentOf(keyword.path ?? '')}/${technicalName(trimmed) ?? ''}`)
        notifyDone(word('saved'))
      }),
    remove: async (path: string, name: string) => {
      try {
        const { objects: [found] = [] } = await cm.retrieveWhereUsed({ body: { dataType: 'keyword', tids: [path] } })
        const count = (found?.uses ?? []).filter(({ kind }) => kind !== 'below').length
        const body = `${count > 0 ? `${t('deleteUsed', { count })} ` : ''}${t('deleteBody')}`
        confirmDelete(t('deleteTitle', { name }), body, () =>
          run(async () => {
            const meta = { itm: toItems({ force: 'true' }) }
            await accepted(common.keywords.perform([{ type: 'delete', path, meta }]))
            onChoose(parentOf(path) || undefined)
            notifyDone(t('deleted', { name }))
          }),
        )
      } catch (error) {
        notifyFailed(word('failed'), error)
      }
    },
  }
}
export type KeywordActions = ReturnType<typeof useKeywordActions>
