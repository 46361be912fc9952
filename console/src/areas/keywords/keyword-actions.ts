/** The keywords and what can be done to them. A keyword is known by its path, which changes when it moves. */
import type { Infer, Keyword } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { technicalName, toItems } from '../../object/items.ts'
import { settled } from '../../object/settle.ts'
import { askName } from '../../ui/ask-name.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellDone, tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'

export type KeywordMessage = Infer<typeof Keyword>
export const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

export function useKeywords() {
  const { common } = useClient()
  return useQuery({
    queryKey: ['keywords', 'all'],
    queryFn: () => common.keywords.retrieve({ path: '/', level: -1 }),
  })
}

export function useKeywordActions(onChoose: (path: string | undefined) => void) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const { common, cm } = useClient()
  const run = useChange(['keywords'])
  const send = (path: string, target: string) => {
    const meta = { itm: toItems({ destinationParentPath: target || '/' }) }
    return settled(common.keywords.perform([{ type: 'move', path, meta }]))
  }

  return {
    create: (below: string) =>
      askName(
        { title: t('newKeyword'), label: t('technicalName'), confirm: word('create'), cancel: word('cancel') },
        (name) =>
          void run(async () => {
            const parent = below && { parentPath: below }
            await settled(common.keywords.persist([{ name: { itm: [{ value: name }] }, ...parent }]))
            onChoose(`${below}/${name}`)
            tellDone(t('created', { name }))
          }),
      ),
    /** A target that is empty is the top. */
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
        tellDone(t('moved', { name }), { label: word('undo'), run: undo })
      })
    },
    save: (keyword: KeywordMessage, name: NonNullable<KeywordMessage['name']>) =>
      run(async () => {
        await settled(common.keywords.persist([{ id: keyword.id!, name }]))
        onChoose(`${parentOf(keyword.path ?? '')}/${technicalName(name) ?? ''}`)
        tellDone(word('saved'))
      }),
    remove: async (path: string, name: string) => {
      try {
        const { objects: [found] = [] } = await cm.retrieveWhereUsed({ body: { dataType: 'keyword', tids: [path] } })
        const count = (found?.uses ?? []).filter(({ kind }) => kind !== 'below').length
        confirmDanger({
          title: t('deleteTitle', { name }),
          body: `${count > 0 ? `${t('deleteUsed', { count })} ` : ''}${t('deleteBody')}`,
          confirm: word('delete'),
          cancel: word('cancel'),
          onConfirm: () =>
            void run(async () => {
              const meta = { itm: toItems({ force: 'true' }) }
              await settled(common.keywords.perform([{ type: 'delete', path, meta }]))
              onChoose(parentOf(path) || undefined)
              tellDone(t('deleted', { name }))
            }),
        })
      } catch (error) {
        tellFailed(word('failed'), error)
      }
    },
  }
}
export type KeywordActions = ReturnType<typeof useKeywordActions>
