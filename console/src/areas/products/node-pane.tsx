/** The classification tree. Choosing a category filters the list to it and its descendants. */
import { TextInput, UnstyledButton } from '@mantine/core'
import { IconBoxMultiple, IconFolder, IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import type { NodeTree } from '../../object/model.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import classes from './products.module.css'

interface NodePaneProps {
  readonly tree: NodeTree
  readonly chosen: string | undefined
  readonly onChoose: (path: string | undefined) => void
}

export function NodePane({ tree, chosen, onChoose }: NodePaneProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const format = useFormat()
  const [text, setText] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(tree.roots.map(({ key }) => key)))
  // Expand the ancestors of the selected category, also after opening a link.
  useEffect(() => {
    if (chosen) setOpen((before) => new Set([...before, ...ancestorsOf(chosen)]))
  }, [chosen])
  const found = useMemo(() => (text.trim() === '' ? undefined : find(tree, text)), [tree, text])
  const total = tree.roots.reduce((sum, { key }) => sum + (tree.byPath.get(key)?.productsBelow ?? 0), 0)
  const withIcon = (items: readonly TreeItem[]) =>
    items.map((item) => ({ ...item, icon: <IconFolder size={16} stroke={1.5} aria-hidden /> }))
  return (
    <>
      <TextInput
        m="xs"
        size="xs"
        aria-label={word('filter')}
        placeholder={word('filter')}
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <UnstyledButton className={classes.all} data-chosen={!chosen || undefined} onClick={() => onChoose(undefined)}>
        <IconBoxMultiple size={16} stroke={1.5} aria-hidden />
        <span>{t('everything')}</span>
        <small>{format.number(total)}</small>
      </UnstyledButton>
      <Tree
        label={t('tree')}
        roots={withIcon(found ?? tree.roots)}
        childrenOf={(key) => (found ? [] : withIcon(tree.childrenOf(key)))}
        open={open}
        onToggle={(key, isOpen) => setOpen((before) => toggled(before, key, isOpen))}
        chosen={chosen}
        onChoose={onChoose}
      />
    </>
  )
}

const ancestorsOf = (path: string) =>
  path
    .split('/')
    .slice(1, -1)
    .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`)

function toggled(keys: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> {
  const next = new Set(keys)
  if (on) next.add(key)
  else next.delete(key)
  return next
}

/** Categories that match the filter, as a flat list. */
function find(tree: NodeTree, text: string): TreeItem[] {
  const filter = text.trim().toLocaleLowerCase()
  const all: TreeItem[] = []
  const visit = (items: readonly TreeItem[]) => {
    for (const item of items) {
      if (item.label.toLocaleLowerCase().includes(filter)) all.push({ ...item, hasChildren: false })
      visit(tree.childrenOf(item.key))
    }
  }
  visit(tree.roots)
  return all
}
