/** The tree of a product, its articles and their variations, with buttons to add more. */
import { ActionIcon, Button, Group, TextInput, Tooltip } from '@mantine/core'
import { IconBox, IconPlus, IconTag, IconTags } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMayAt } from '../../../object/client.tsx'
import { accepted } from '../../../object/records.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Tree, type TreeItem } from '../../../ui/tree/tree.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { allOf, type Draft, type Item, itemKey, ownName, type ProductMessage } from './product.ts'
import { RequiredFields, useRequiredValues } from './required-values.tsx'
import { texts } from './texts.ts'
import { productKey } from './use-product.ts'

const icons = { p: IconBox, a: IconTags, v: IconTag }

interface ItemTreeProps {
  readonly root: Item
  readonly chosen: Item
  readonly draft: Draft
  readonly onChoose: (item: Item) => void
}

export function ItemTree({ root, chosen, draft, onChoose }: ItemTreeProps) {
  const t = useTexts(texts)
  const may = useMayAt('product', 'node', (root.message as ProductMessage).node ?? '')
  const items = new Map(allOf(root).map((item) => [itemKey(item), item]))
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [under, setUnder] = useState<Item>()
  const toTreeItem = (item: Item): TreeItem => {
    const Symbol = icons[item.level]
    return {
      key: itemKey(item),
      label: ownName(item),
      icon: <Symbol size={16} stroke={1.5} aria-hidden />,
      end: draft.has(itemKey(item)) ? '●' : undefined,
      hasChildren: item.children.length > 0,
    }
  }
  const addLabel = (item: Item) => (item.level === 'p' ? t('addArticle') : t('addVariation'))
  return (
    <>
      <Tree
        label={t('structure')}
        roots={[toTreeItem(root)]}
        childrenOf={(key) => items.get(key)?.children.map(toTreeItem)}
        open={new Set([...items.keys()].filter((key) => !closed.has(key)))}
        onToggle={(key, open) =>
          setClosed((before) => {
            const next = new Set(before)
            if (open) next.delete(key)
            else next.add(key)
            return next
          })
        }
        chosen={itemKey(chosen)}
        onChoose={(key) => onChoose(items.get(key)!)}
        menu={(treeItem) => {
          const item = items.get(treeItem.key)
          if (!item || item.level === 'v' || !may('update')) return null
          return (
            <Tooltip label={addLabel(item)}>
              <ActionIcon
                variant="subtle"
                size="sm"
                tabIndex={-1}
                aria-label={`${addLabel(item)}: ${item.name}`}
                onClick={() => setUnder(item)}
              >
                <IconPlus size={14} />
              </ActionIcon>
            </Tooltip>
          )
        }}
      />
      {may('update') && (
        <Group p="xs" gap="xs" grow style={{ borderTop: '1px solid var(--line)' }}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setUnder(chosen.level === 'v' ? chosen.parent! : chosen)}
          >
            {addLabel(chosen.level === 'v' ? chosen.parent! : chosen)}
          </Button>
        </Group>
      )}
      {under && <AddItem under={under} root={root} title={addLabel(under)} onClose={() => setUnder(undefined)} />}
    </>
  )
}

function AddItem({ under, root, title, onClose }: { under: Item; root: Item; title: string; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<unknown>()
  const level = under.level === 'p' ? 'a' : 'v'
  const required = useRequiredValues(level, (root.message as ProductMessage).node, refusal, under)
  const add = async () => {
    const created = { name: name.trim(), vals: required.vals }
    const article = level === 'a' ? created : { tid: under.tid, variants: { variant: [created] } }
    const message: ProductMessage = { tid: root.tid, articles: { article: [article] } }
    try {
      await accepted(pim.products.persist([message]))
      await queryClient.invalidateQueries({ queryKey: productKey(root.tid) })
      onClose()
    } catch (error) {
      setRefusal(error)
    }
  }
  return (
    <FormModal title={title} onSubmit={add} onClose={onClose}>
      <TextInput
        label={t('newName')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        data-autofocus
      />
      <RequiredFields {...required} />
      <Group justify="flex-end">
        <Button type="submit" disabled={name.trim() === ''}>
          {word('add')}
        </Button>
      </Group>
    </FormModal>
  )
}
