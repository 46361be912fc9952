/** Changes of the category tree. The root of a tree is a classification and has calls of its own. */
import type { Infer, Name } from '@kontor/contract'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { toItems } from '../../object/items.ts'
import type { NodeTree, TreeNode } from '../../object/model.ts'
import { accepted } from '../../object/records.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import { useModelChange } from '../../object/model-change.ts'

type Names = Infer<typeof Name>
const isRoot = ({ parentId }: TreeNode) => parentId === undefined
const parentPathOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

export function useNodeActions(tree: NodeTree, nameOf: (node: TreeNode) => string, onDeleted: (path: string) => void) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim, run } = useModelChange()
  const { nodes, classes } = pim
  const confirmDelete = useConfirmDelete()
  const moveTo = (node: TreeNode, parentPath: string, dryRun = false) =>
    accepted(nodes.persist([{ id: node.id!, parentPath }], { dryRun }))
  const removeNode = (node: TreeNode, force: boolean) => {
    const meta = force ? { meta: { itm: toItems({ force: 'true' }) } } : {}
    return accepted(
      isRoot(node)
        ? classes.perform([{ type: 'delete', tid: node.classification!, ...meta }])
        : nodes.perform([{ type: 'delete', path: node.path!, ...meta }]),
    )
  }
  return {
    create: (parent: TreeNode, tid: string, name: Names) =>
      run(() => accepted(nodes.persist([{ parentPath: parent.path!, tid, name }]))),

    rename: (node: TreeNode, name: Names) =>
      run(() =>
        accepted(
          isRoot(node)
            ? classes.persist([{ tid: node.classification!, name }])
            : nodes.persist([{ id: node.id!, name }]),
        ),
      ),

    /** A dry run first, so that a refused move never asks for confirmation. */
    async move(key: string, target: string) {
      const [node, parent] = [tree.byPath.get(key), tree.byPath.get(target)]
      if (!node || !parent || node.parentId === parent.id) return
      try {
        await moveTo(node, target, true)
      } catch (error) {
        notifyFailed(word('failed'), error)
        return
      }
      const undo = () => void run(() => moveTo(node, parentPathOf(key)))
      confirmDanger({
        title: t('moveTitle', { name: nameOf(node) }),
        body: t('moveBody', { target: nameOf(parent), count: node.productsBelow ?? 0 }),
        confirm: word('move'),
        cancel: word('cancel'),
        onConfirm: () =>
          void run(async () => {
            await moveTo(node, target)
            notifyDone(t('moved', { name: nameOf(node) }), { label: word('undo'), run: undo })
          }),
      })
    },

    remove(node: TreeNode) {
      const count = node.productsBelow ?? 0
      const name = nameOf(node)
      confirmDelete(t('deleteNode', { name }), t('deleteNodeBody', { count }), () =>
        run(async () => {
          await removeNode(node, count > 0)
          onDeleted(node.path ?? '/')
          notifyDone(t('deleted', { name }))
        }),
      )
    },
  }
}
