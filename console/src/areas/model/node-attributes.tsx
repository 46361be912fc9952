/** The attributes of a node: its own can be changed here, inherited ones are shown with the node they come from. */
import { ActionIcon, Badge, Group, Select, Table, Text, Title, Tooltip } from '@mantine/core'
import { IconListDetails, IconX } from '@tabler/icons-react'
import { type Attr, attributeOptions, attributeRestrictions, type Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { nameIn } from '../../object/items.ts'
import { useContentLocale } from '../../object/locales.ts'
import { modelKey, namesOfPath, type NodeTree, type TreeNode, useAttributes } from '../../object/model.ts'
import { noneThere } from '../../object/none-there.ts'
import { settled } from '../../object/settle.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'
import { useModelChange } from './use-model.ts'
import classes from './model.module.css'

type NodeAttribute = Infer<typeof Attr>
/** What is dragged when a definition is dragged onto a node. */
export const definitionDrag = 'application/x-kontor-definition'
const levelSets = ['pav', 'p', 'pa', 'a', 'av', 'v'] as const

export function NodeAttributes({ node, tree }: { node: TreeNode; tree: NodeTree }) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const model = useModelChange()
  const { pim, run } = model
  const [locale] = useContentLocale()
  const definitions = useAttributes()
  const [over, setOver] = useState(false)
  const attributes = useQuery({
    queryKey: [...modelKey, 'attributes', node.path],
    queryFn: () =>
      pim.attributes
        .retrieve({ nodePaths: [node.path!], includeParentAttributes: true })
        .catch(noneThere<NodeAttribute[]>([])),
  })
  const nodeName = nameIn(node.name, locale) || node.tid!
  const labelOf = (key = '') => definitions.get(key)?.label ?? key
  const add = (key: string) =>
    run(async () => {
      await settled(pim.attributes.persist([{ nodePath: node.path, key }]))
      const undo = () => void run(() => removeFrom(key))
      tellDone(t('added', { name: labelOf(key), node: nodeName }), { label: word('undo'), run: undo })
    })
  const removeFrom = async (key: string) => {
    const own = await pim.attributes.retrieve({ nodePaths: [node.path!] })
    const id = own.find((one) => one.key === key)?.id
    if (id !== undefined) await settled(pim.attributes.perform([{ type: 'delete', id }]))
  }
  const remove = (attribute: NodeAttribute) =>
    run(async () => {
      await settled(pim.attributes.perform([{ type: 'delete', id: attribute.id }]))
      const { id: _, ...again } = attribute
      const undo = () => void run(() => settled(pim.attributes.persist([again])))
      tellDone(t('removed', { name: labelOf(attribute.key), node: nodeName }), { label: word('undo'), run: undo })
    })
  const change = (attribute: NodeAttribute, changed: NodeAttribute) =>
    run(() => settled(pim.attributes.persist([{ id: attribute.id, ...changed }])))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const key = event.dataTransfer.getData(definitionDrag)
    if (key) void add(key)
  }
  const dropping = model.mayNodes
    ? {
        onDragOver: (event: DragEvent) => {
          event.preventDefault()
          setOver(true)
        },
        onDragLeave: () => setOver(false),
        onDrop: drop,
      }
    : {}
  const taken = new Set(attributes.data?.map(({ key }) => key))
  return (
    <div className={classes.centre} data-over={over || undefined} {...dropping}>
      <Group p="md" justify="space-between">
        <div>
          <Title order={2}>{t('ofNode', { node: nodeName })}</Title>
          <Text size="sm" c="dimmed">
            {t('productsHere', { count: node.productsBelow ?? 0 })} · {t('dropHere')}
          </Text>
        </div>
        {model.mayNodes && (
          <Select
            aria-label={t('add')}
            placeholder={t('add')}
            data={[...definitions.values()]
              .filter(({ key }) => !taken.has(key))
              .map(({ key, label }) => ({ value: key, label: `${label} (${key})` }))}
            value={null}
            onChange={(key) => key && void add(key)}
            searchable
            w={240}
          />
        )}
      </Group>
      <Loaded query={attributes}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={IconListDetails} title={t('noAttributes')}>
              {t('noAttributesHint')}
            </Empty>
          ) : (
            <Table verticalSpacing={6} highlightOnHover stickyHeader>
              <Table.Thead>
                <Table.Tr>
                  {(['attribute', 'levels', 'restriction', 'option'] as const).map((title) => (
                    <Table.Th key={title}>{t(title)}</Table.Th>
                  ))}
                  <Table.Th aria-label={word('actions')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((attribute) => {
                  const own = attribute.nodePath === node.path && model.mayNodes
                  return (
                    <AttributeLine
                      key={attribute.key}
                      attribute={attribute}
                      label={labelOf(attribute.key)}
                      from={
                        attribute.nodePath === node.path
                          ? undefined
                          : namesOfPath(tree, attribute.nodePath ?? '', locale).at(-1)
                      }
                      onChange={own ? (changed) => void change(attribute, changed) : undefined}
                      onRemove={own ? () => void remove(attribute) : undefined}
                    />
                  )
                })}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </div>
  )
}

interface AttributeLineProps {
  readonly attribute: NodeAttribute
  readonly label: string
  /** The node it is inherited from. */
  readonly from: string | undefined
  readonly onChange: ((changed: NodeAttribute) => void) | undefined
  readonly onRemove: (() => void) | undefined
}

function AttributeLine({ attribute, label, from, onChange, onRemove }: AttributeLineProps) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const levelsOf = (levels: string) => [...levels].map((level) => t(level as 'p')).join(', ')
  const choice = (
    field: 'level' | 'restriction' | 'option',
    data: { value: string; label: string }[],
    title: string,
  ) =>
    onChange ? (
      <Select
        size="xs"
        aria-label={`${title}: ${label}`}
        data={data}
        value={attribute[field] ?? null}
        onChange={(value) => value && onChange({ [field]: value })}
        allowDeselect={false}
      />
    ) : (
      <Text size="sm" c="dimmed">
        {data.find(({ value }) => value === attribute[field])?.label}
      </Text>
    )
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {label}
        </Text>
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            {attribute.key}
          </Text>
          {from && (
            <Badge size="xs" variant="light" color="gray" tt="none">
              {t('inheritedFrom', { node: from })}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {choice(
          'level',
          levelSets.map((value) => ({ value, label: levelsOf(value) })),
          t('levels'),
        )}
      </Table.Td>
      <Table.Td>
        {choice(
          'restriction',
          attributeRestrictions.map((value) => ({ value, label: t(value) })),
          t('restriction'),
        )}
      </Table.Td>
      <Table.Td>
        {choice(
          'option',
          attributeOptions.map((value) => ({ value, label: t(value) })),
          t('option'),
        )}
      </Table.Td>
      <Table.Td w={44}>
        {onRemove && (
          <Tooltip label={word('remove')}>
            <ActionIcon variant="subtle" color="gray" aria-label={`${word('remove')}: ${label}`} onClick={onRemove}>
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
