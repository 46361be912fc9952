/** The attributes of a category: its own can be changed here, inherited ones show the category they come from. */
import { ActionIcon, Badge, Group, Select, Table, Text, Title, Tooltip } from '@mantine/core'
import { type Attr, attributeOptions, attributeRestrictions, type Infer } from '@kontor/contract'
import { IconListDetails, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useAttributeOptions } from '../../object/attribute-groups.ts'
import { nameIn } from '../../object/items.ts'
import { useContentLocale } from '../../object/locales.ts'
import { modelKey, namesOfPath, type NodeTree, type TreeNode, useAttributes } from '../../object/model.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { AxesField } from './axes-field.tsx'
import { texts } from './texts.ts'
import { useModelChange } from '../../object/model-change.ts'
import classes from './model.module.css'

type NodeAttribute = Infer<typeof Attr>
/** The type of a dragged definition's data. */
export const definitionDrag = 'application/x-kontor-definition'
const levelSets = ['pav', 'p', 'pa', 'a', 'av', 'v'] as const

export function NodeAttributes({ node, tree }: { node: TreeNode; tree: NodeTree }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { mayNodes } = useModelChange()
  const [locale] = useContentLocale()
  const definitions = useAttributes()
  const nodeName = nameIn(node.name, locale) || node.tid!
  const labelOf = (key = '') => definitions.get(key)?.label ?? key
  const addTo = useAddAttribute()
  const add = (key: string) => addTo(node, key, labelOf(key))
  const { attributes, change, remove } = useNodeAttributes(node, nodeName, labelOf)
  const dropping = useDropping(mayNodes, (key) => void add(key))
  const taken = new Set(attributes.data?.map(({ key }) => key))
  const free = [...definitions.values()].filter(({ key }) => !taken.has(key))
  const options = useAttributeOptions(free, ({ key, label }) => `${label} (${key})`)
  return (
    <div className={classes.centre} {...dropping}>
      <Group p="md" justify="space-between">
        <div>
          <Title order={2}>{t('ofNode', { node: nodeName })}</Title>
          <Text size="sm" c="dimmed">
            {t('productsHere', { count: node.productsBelow ?? 0 })}
            {mayNodes && ` · ${t('dropHere')}`}
          </Text>
        </div>
        {mayNodes && (
          <Select
            aria-label={t('add')}
            placeholder={t('add')}
            data={options}
            value={null}
            onChange={(key) => key && void add(key)}
            searchable
            w={240}
          />
        )}
      </Group>
      <AxesField node={node} />
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
                  {(['attribute', 'level', 'restriction', 'option'] as const).map((title) => (
                    <Table.Th key={title}>{t(title)}</Table.Th>
                  ))}
                  <Table.Th aria-label={word('actions')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((attribute) => {
                  const { key, nodePath = '' } = attribute
                  const isOwn = nodePath === node.path
                  return (
                    <AttributeLine
                      key={key}
                      attribute={attribute}
                      label={labelOf(key)}
                      from={isOwn ? undefined : namesOfPath(tree, nodePath, locale).at(-1)}
                      onChange={isOwn && mayNodes ? (changed) => void change(attribute, changed) : undefined}
                      onRemove={isOwn && mayNodes ? () => void remove(attribute) : undefined}
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

/** Adds an attribute to a category; it can be undone. */
export function useAddAttribute() {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const { pim, run } = useModelChange()
  return (node: TreeNode, key: string, label: string) => {
    const nodePath = node.path!
    const takeBack = async () => {
      const own = await pim.attributes.retrieve({ nodePaths: [nodePath] })
      const added = own.find((one) => one.key === key)
      if (added) await accepted(pim.attributes.perform([{ type: 'delete', id: added.id! }]))
    }
    return run(async () => {
      await accepted(pim.attributes.persist([{ nodePath, key }]))
      const undo = () => void run(takeBack)
      const names = { name: label, node: nameIn(node.name, locale) || node.tid! }
      notifyDone(t('added', names), { label: word('undo'), run: undo })
    })
  }
}

function useNodeAttributes(node: TreeNode, nodeName: string, labelOf: (key?: string) => string) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim, run } = useModelChange()
  const nodePath = node.path!
  const attributes = useQuery({
    queryKey: [...modelKey, 'attributes', nodePath],
    queryFn: () =>
      pim.attributes
        .retrieve({ nodePaths: [nodePath], includeParentAttributes: true })
        .catch(emptyWhenNotFound<NodeAttribute[]>([])),
  })
  const deleteById = ({ id }: NodeAttribute) => accepted(pim.attributes.perform([{ type: 'delete', id: id! }]))
  return {
    attributes,
    change: (attribute: NodeAttribute, changed: NodeAttribute) =>
      run(() => accepted(pim.attributes.persist([{ id: attribute.id!, ...changed }]))),
    remove: (attribute: NodeAttribute) =>
      run(async () => {
        await deleteById(attribute)
        const { id: _, ...again } = attribute
        const undo = () => void run(() => accepted(pim.attributes.persist([again])))
        notifyDone(t('removed', { name: labelOf(attribute.key), node: nodeName }), { label: word('undo'), run: undo })
      }),
  }
}

/** Lets definitions be dropped on an element, and marks it while one is above it. */
function useDropping(isAllowed: boolean, onDefinition: (key: string) => void) {
  const [over, setOver] = useState(false)
  if (!isAllowed) return {}
  return {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const key = event.dataTransfer.getData(definitionDrag)
      if (key) onDefinition(key)
    },
  }
}

interface AttributeLineProps {
  readonly attribute: NodeAttribute
  readonly label: string
  /** The category it is inherited from. */
  readonly from: string | undefined
  readonly onChange: ((changed: NodeAttribute) => void) | undefined
  readonly onRemove: (() => void) | undefined
}

function AttributeLine({ attribute, label, from, onChange, onRemove }: AttributeLineProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const levelsOf = (levels: (typeof levelSets)[number]) =>
    [...levels].map((level) => t(level === 'p' ? 'p' : level === 'a' ? 'a' : 'v')).join(', ')
  const choices = {
    level: levelSets.map((value) => ({ value, label: levelsOf(value) })),
    restriction: attributeRestrictions.map((value) => ({ value, label: t(`restriction_${value}`) })),
    option: attributeOptions.map((value) => ({ value, label: t(value) })),
  }
  const choiceOf = (field: keyof typeof choices) =>
    onChange ? (
      <Select
        size="xs"
        aria-label={`${t(field)}: ${label}`}
        data={choices[field]}
        value={attribute[field] ?? null}
        onChange={(value) => value && onChange({ [field]: value })}
        allowDeselect={false}
      />
    ) : (
      <Text size="sm" c="dimmed">
        {choices[field].find(({ value }) => value === attribute[field])?.label}
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
      <Table.Td>{choiceOf('level')}</Table.Td>
      <Table.Td>{choiceOf('restriction')}</Table.Td>
      <Table.Td>{choiceOf('option')}</Table.Td>
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
