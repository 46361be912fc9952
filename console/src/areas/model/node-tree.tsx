/** The tree of nodes: made, renamed, deleted, and moved by dragging; what a change touches is said before it is made. */
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconDots, IconFolder, IconFolderPlus, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useContentLocale } from '../../object/locales.ts'
import { nameIn, toItems } from '../../object/items.ts'
import type { NodeTree, TreeNode } from '../../object/model.ts'
import { settled } from '../../object/settle.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellDone, tellFailed } from '../../ui/tell.tsx'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { words } from '../../ui/words.ts'
import { NameModal } from './name-modal.tsx'
import { texts } from './texts.ts'
import { useModelChange } from './use-model.ts'

interface NodeTreePaneProps {
  readonly tree: NodeTree
  readonly chosen: string | undefined
  readonly onChoose: (path: string | undefined) => void
  readonly onCreateClass: () => void
}

export function NodeTreePane({ tree, chosen, onChoose, onCreateClass }: NodeTreePaneProps) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const model = useModelChange()
  const [locale] = useContentLocale()
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(tree.roots.map(({ key }) => key)))
  const [editing, setEditing] = useState<{ node: TreeNode; create: boolean }>()
  const nameOf = (node: TreeNode) => nameIn(node.name, locale) || (node.tid ?? '')
  const withIcon = (items: readonly TreeItem[]) =>
    items.map((item) => ({ ...item, icon: <IconFolder size={16} stroke={1.5} aria-hidden /> }))

  const move = async (key: string, target: string) => {
    const [node, parent] = [tree.byPath.get(key), tree.byPath.get(target)]
    if (!node || !parent || node.parentId === parent.id) return
    const change = { id: node.id, parentPath: target }
    try {
      await settled(model.pim.nodes.persist([change], { dryRun: true }))
    } catch (error) {
      return tellFailed(word('failed'), error)
    }
    const products = t('products', { count: node.productsBelow ?? 0 })
    confirmDanger({
      title: t('moveTitle', { name: nameOf(node) }),
      body: t('moveBody', { target: nameOf(parent), products }),
      confirm: word('move'),
      cancel: word('cancel'),
      onConfirm: () =>
        void model.run(async () => {
          await settled(model.pim.nodes.persist([change]))
          const back = tree.byPath.get(key.slice(0, key.lastIndexOf('/')))
          const undo = () =>
            void model.run(() => settled(model.pim.nodes.persist([{ id: node.id, parentPath: back?.path }])))
          tellDone(t('moved', { name: nameOf(node) }), { label: word('undo'), run: undo })
        }),
    })
  }
  const remove = (node: TreeNode) => {
    const count = node.productsBelow ?? 0
    const name = nameOf(node)
    confirmDanger({
      title: t('deleteNode', { name }),
      body: count > 0 ? t('deleteForce', { products: t('products', { count }) }) : t('deleteNodeBody'),
      confirm: word('delete'),
      cancel: word('cancel'),
      onConfirm: () =>
        void model.run(async () => {
          const meta = count > 0 ? { meta: { itm: toItems({ force: 'true' }) } } : {}
          const isRoot = node.parentId === undefined
          await settled(
            isRoot
              ? model.pim.classes.perform([{ type: 'delete', tid: node.classification, ...meta }])
              : model.pim.nodes.perform([{ type: 'delete', path: node.path, ...meta }]),
          )
          if (chosen?.startsWith(node.path ?? '/')) onChoose(undefined)
          tellDone(t('deleted', { name }))
        }),
    })
  }
  const store =
    ({ node, create }: { node: TreeNode; create: boolean }) =>
    (tid: string, name: { itm: object[] }) => {
      setOpen((before) => new Set([...before, node.path ?? '']))
      const isRoot = node.parentId === undefined
      return model.run(() => {
        if (create) return settled(model.pim.nodes.persist([{ parentPath: node.path, tid, name }]))
        if (isRoot) return settled(model.pim.classes.persist([{ tid: node.classification, name }]))
        return settled(model.pim.nodes.persist([{ id: node.id, name }]))
      })
    }
  return (
    <>
      <Tree
        label={t('tree')}
        roots={withIcon(tree.roots)}
        childrenOf={(key) => withIcon(tree.childrenOf(key))}
        open={open}
        onToggle={(key, isOpen) =>
          setOpen((before) => {
            const next = new Set(before)
            if (isOpen) next.add(key)
            else next.delete(key)
            return next
          })
        }
        chosen={chosen}
        onChoose={onChoose}
        onMove={model.mayNodes ? (key, target) => void move(key, target) : undefined}
        menu={(item) => {
          const node = tree.byPath.get(item.key)
          if (!node || !model.mayNodes) return null
          return (
            <NodeMenu
              name={nameOf(node)}
              onAdd={() => setEditing({ node, create: true })}
              onRename={() => setEditing({ node, create: false })}
              onDelete={() => remove(node)}
            />
          )
        }}
      />
      {model.mayNodes && (
        <Group p="xs" style={{ borderTop: '1px solid var(--line)' }} grow>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onCreateClass}>
            {t('newClass')}
          </Button>
        </Group>
      )}
      {editing && (
        <NameModal
          title={editing.create ? t('newNodeIn', { node: nameOf(editing.node) }) : word('rename')}
          name={editing.create ? undefined : editing.node.name}
          tid={editing.create ? undefined : editing.node.tid}
          onClose={() => setEditing(undefined)}
          onDone={store(editing)}
        />
      )}
    </>
  )
}

function NodeMenu({
  name,
  onAdd,
  onRename,
  onDelete,
}: {
  name: string
  onAdd: () => void
  onRename: () => void
  onDelete: () => void
}) {
  const t = useTexts(texts)
  const word = useTexts(words)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" tabIndex={-1} aria-label={`${word('actions')}: ${name}`}>
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFolderPlus size={16} />} onClick={onAdd}>
          {t('newNode')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
          {word('rename')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onDelete}>
          {word('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
