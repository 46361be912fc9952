/** The tree of categories: created, renamed, deleted, and moved by dragging. Each dialog tells what the change affects. */
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconDots, IconFolder, IconFolderPlus, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useContentLocale } from '../../object/locales.ts'
import { nameIn } from '../../object/items.ts'
import type { NodeTree, TreeNode } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { useOpenKeys } from '../../ui/tree/open-keys.ts'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { NameModal } from './name-modal.tsx'
import { useNodeActions } from './node-actions.ts'
import { texts } from './texts.ts'
import { useModelChange } from '../../object/model-change.ts'

interface NodeTreePaneProps {
  readonly tree: NodeTree
  readonly chosen: string | undefined
  readonly onChoose: (path: string | undefined) => void
  readonly onCreateClass: () => void
}

export function NodeTreePane({ tree, chosen, onChoose, onCreateClass }: NodeTreePaneProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { mayNodes } = useModelChange()
  const [locale] = useContentLocale()
  const [open, toggle] = useOpenKeys(() => tree.roots.map(({ key }) => key))
  const [editing, setEditing] = useState<{ node: TreeNode; isNew: boolean }>()
  const nameOf = (node: TreeNode) => nameIn(node.name, locale) || (node.tid ?? '')
  const act = useNodeActions(tree, nameOf, (path) => {
    if (chosen?.startsWith(path)) onChoose(undefined)
  })
  const withIcon = (items: readonly TreeItem[]) =>
    items.map((item) => ({ ...item, icon: <IconFolder size={16} stroke={1.5} aria-hidden /> }))
  return (
    <>
      <Tree
        label={t('tree')}
        roots={withIcon(tree.roots)}
        childrenOf={(key) => withIcon(tree.childrenOf(key))}
        open={open}
        onToggle={toggle}
        chosen={chosen}
        onChoose={onChoose}
        onMove={mayNodes ? (key, target) => void act.move(key, target) : undefined}
        menu={(item) => {
          const node = tree.byPath.get(item.key)
          if (!node || !mayNodes) return null
          return (
            <NodeMenu
              name={nameOf(node)}
              onAdd={() => setEditing({ node, isNew: true })}
              onRename={() => setEditing({ node, isNew: false })}
              onDelete={() => act.remove(node)}
            />
          )
        }}
      />
      {mayNodes && (
        <Group p="xs" style={{ borderTop: '1px solid var(--line)' }} grow>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onCreateClass}>
            {t('newClass')}
          </Button>
        </Group>
      )}
      {editing && (
        <NameModal
          title={editing.isNew ? t('newNodeIn', { node: nameOf(editing.node) }) : word('rename')}
          name={editing.isNew ? undefined : editing.node.name}
          tid={editing.isNew ? undefined : editing.node.tid}
          taken={tree.childrenOf(editing.node.path ?? '').map(({ key }) => key.slice(key.lastIndexOf('/') + 1))}
          onClose={() => setEditing(undefined)}
          onSave={(tid, name) => {
            toggle(editing.node.path ?? '', true)
            return editing.isNew ? act.create(editing.node, tid, name) : act.rename(editing.node, name)
          }}
        />
      )}
    </>
  )
}

interface NodeMenuProps {
  readonly name: string
  readonly onAdd: () => void
  readonly onRename: () => void
  readonly onDelete: () => void
}

function NodeMenu({ name, onAdd, onRename, onDelete }: NodeMenuProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
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
