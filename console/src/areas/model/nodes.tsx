/** Classifications: the tree, the attributes of the chosen category, and all attributes, to be dragged onto it. */
import { ActionIcon, Badge, Button, ScrollArea, TextInput } from '@mantine/core'
import type { Infer, Name } from '@kontor/contract'
import { IconPlus, IconSearch, IconSitemap } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useContentLocale } from '../../object/locales.ts'
import { toNodeTree, type TreeNode, useAttributes, useClassificationTree } from '../../object/model.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { NameModal } from './name-modal.tsx'
import { definitionDrag, NodeAttributes, useAddAttribute } from './node-attributes.tsx'
import { NodeTreePane } from './node-tree.tsx'
import { texts } from './texts.ts'
import { useModelChange } from '../../object/model-change.ts'
import { accepted } from '../../object/records.ts'
import classes from './model.module.css'

export function Nodes() {
  const t = useTexts(texts)
  const nodes = useClassificationTree()
  const model = useModelChange()
  const [creating, setCreating] = useState(false)
  const create = (tid: string, name: Infer<typeof Name>) =>
    model.run(() => accepted(model.pim.classes.persist([{ tid, name }])))
  const taken = nodes.data?.flatMap(({ parentId, tid }) => (parentId === undefined && tid) || [])
  const modal = creating && (
    <NameModal title={t('newClass')} taken={taken ?? []} onClose={() => setCreating(false)} onSave={create} />
  )
  return (
    <Loaded query={nodes}>
      {(data) =>
        data.length === 0 ? (
          <>
            <Empty
              icon={IconSitemap}
              title={t('none')}
              action={
                model.mayNodes && (
                  <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
                    {t('newClass')}
                  </Button>
                )
              }
            >
              {t('noneHint')}
            </Empty>
            {modal}
          </>
        ) : (
          <>
            <NodePanes onCreateClass={() => setCreating(true)} />
            {modal}
          </>
        )
      }
    </Loaded>
  )
}

function NodePanes({ onCreateClass }: { onCreateClass: () => void }) {
  const t = useTexts(texts)
  const format = useFormat()
  const [{ node }, change] = useUrlState()
  const [locale] = useContentLocale()
  const { data: nodes = [] } = useClassificationTree()
  const tree = useMemo(
    () => toNodeTree(nodes, locale, ({ productsBelow = 0 }) => format.number(productsBelow)),
    [nodes, locale, format],
  )
  const chosen = node === undefined ? undefined : tree.byPath.get(node)
  return (
    <Panes
      sideLabel={t('tree')}
      side={
        <NodeTreePane
          tree={tree}
          chosen={node}
          onChoose={(path) => change({ node: path }, true)}
          onCreateClass={onCreateClass}
        />
      }
      endLabel={t('definitions')}
      end={<DefinitionPane node={chosen} />}
    >
      {chosen ? (
        <NodeAttributes key={chosen.path} node={chosen} tree={tree} />
      ) : (
        <Empty icon={IconSitemap} title={t('chooseNode')}>
          {t('chooseNodeHint')}
        </Empty>
      )}
    </Panes>
  )
}

/** All definitions, to be added to the chosen category by a button or by dragging. */
function DefinitionPane({ node }: { node: TreeNode | undefined }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const attributes = useAttributes()
  const [text, setText] = useState('')
  const { mayNodes } = useModelChange()
  const add = useAddAttribute()
  const wanted = text.trim().toLocaleLowerCase()
  const visible = [...attributes.values()].filter(({ key, label }) =>
    `${key} ${label}`.toLocaleLowerCase().includes(wanted),
  )
  return (
    <>
      <TextInput
        m="xs"
        size="xs"
        aria-label={`${word('filter')}: ${t('definitions')}`}
        placeholder={t('definitions')}
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ScrollArea px="xs" viewportProps={{ tabIndex: 0, 'aria-label': t('definitions'), role: 'group' }}>
        {visible.map(({ key, label, dataType }) => (
          <div
            key={key}
            className={classes.definition}
            draggable
            onDragStart={(event) => event.dataTransfer.setData(definitionDrag, key)}
            title={key}
          >
            <span>{label}</span>
            <Badge size="xs" variant="light" color="gray" tt="none">
              {t(`type_${dataType}`)}
            </Badge>
            {node && mayNodes && (
              <ActionIcon
                size="sm"
                variant="subtle"
                aria-label={t('addOne', { name: label })}
                onClick={() => void add(node, key, label)}
              >
                <IconPlus size={14} />
              </ActionIcon>
            )}
          </div>
        ))}
      </ScrollArea>
    </>
  )
}
