/**
 * Groups of attributes: their labels, their order, and the order of the attributes in them. Groups and attributes are dragged by
 * their handles, or moved with the arrow keys while the handle has the focus.
 */
import { ActionIcon, Button, Group, Menu, Paper, Text, Title } from '@mantine/core'
import { IconArrowMoveRight, IconFolders, IconGripVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type AttributeGroup, inGroups, useAttributeGroups } from '../../object/attribute-groups.ts'
import { useMay } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { useAttributes } from '../../object/model.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { type Moves, useGroupChanges } from './group-changes.ts'
import { NameModal } from './name-modal.tsx'
import { texts } from './texts.ts'
import classes from './model.module.css'

export function AttributeGroups() {
  const t = useTexts(texts)
  const groups = useAttributeGroups()
  const attributes = useAttributes()
  const may = useMay()
  const mayChange = may('update', 'attrGroup') && may('update', 'attrDefinition')
  const changes = useGroupChanges(groups)
  const [edited, setEdited] = useState<AttributeGroup | 'new'>()
  const { others } = inGroups(groups, attributes.values())
  const list = useRef<HTMLDivElement>(null)
  const focusAgain = useFocusAfterMove(list)
  const moves: Moves = { ...changes.moves, focusAgain }
  const labelOf = (key: string) => attributes.get(key)?.label ?? key
  const create = may('create', 'attrGroup') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {t('newGroup')}
    </Button>
  )
  const lines = (tid: string, members: readonly string[]) =>
    members.map((key, index) => (
      <Line
        key={key}
        attribute={key}
        label={labelOf(key)}
        place={{ group: tid, index, count: members.length }}
        groups={groups}
        moves={mayChange ? moves : undefined}
      />
    ))
  return (
    <div className={classes.list} ref={list}>
      {create && (
        <Group mb="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            {t('groupsHint')}
          </Text>
          {create}
        </Group>
      )}
      {groups.length === 0 && (
        <Empty icon={IconFolders} title={t('noGroups')}>
          {t('noGroupsHint')}
        </Empty>
      )}
      {groups.map((group, index) => (
        <Section
          key={group.tid}
          title={group.label}
          onDropAttribute={mayChange ? (key) => moves.place(key, group.tid, group.members.length) : undefined}
          onDropGroup={mayChange ? (tid) => moves.order(tid, index) : undefined}
          handle={
            mayChange && (
              <Handle
                id={`group ${group.tid}`}
                label={t('moveGroup', { name: group.label })}
                drag={[groupDrag, group.tid]}
                onMove={(by) => {
                  moves.order(group.tid, index + by)
                  focusAgain(`group ${group.tid}`)
                }}
              />
            )
          }
          tools={
            mayChange && <Tools group={group} onEdit={() => setEdited(group)} onDelete={() => changes.remove(group)} />
          }
        >
          {lines(group.tid, group.members)}
        </Section>
      ))}
      {groups.length > 0 && others.length > 0 && (
        <Section title={t('noGroup')} onDropAttribute={mayChange ? (key) => moves.place(key, undefined, 0) : undefined}>
          {lines(
            '',
            others.map(({ key }) => key),
          )}
        </Section>
      )}
      {edited && (
        <NameModal
          title={edited === 'new' ? t('newGroup') : edited.label}
          {...(edited !== 'new' && { tid: edited.tid, name: edited.message.name })}
          taken={groups.map(({ tid }) => tid)}
          onClose={() => setEdited(undefined)}
          onSave={changes.save}
        />
      )}
    </div>
  )
}

const attributeDrag = 'application/x-kontor-grouped-attribute'
const groupDrag = 'application/x-kontor-attribute-group'

/** Elements that move lose the focus; it returns to the handle when the new order is shown. */
function useFocusAfterMove(list: React.RefObject<HTMLElement | null>) {
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(wanted.current)}"]`)?.focus()
  })
  return (id: string) => (wanted.current = id)
}

interface SectionProps {
  readonly title: string
  readonly handle?: ReactNode
  readonly tools?: ReactNode
  readonly children: ReactNode
  readonly onDropAttribute?: ((key: string) => void) | undefined
  readonly onDropGroup?: ((tid: string) => void) | undefined
}

function Section({ title, handle, tools, children, onDropAttribute, onDropGroup }: SectionProps) {
  const drops = { [attributeDrag]: onDropAttribute, [groupDrag]: onDropGroup }
  return (
    <Paper withBorder component="section" aria-label={title} mb="sm" p="xs" {...droppable(drops)}>
      <Group gap="xs" mb={4}>
        {handle}
        <Title order={2} size="h5" flex={1}>
          {title}
        </Title>
        {tools}
      </Group>
      {children}
    </Paper>
  )
}

/** Handlers of a drop target, by the type of the dragged data. */
const droppable = (drops: Readonly<Record<string, ((id: string) => void) | undefined>>) => {
  const typeIn = ({ dataTransfer }: DragEvent) => Object.keys(drops).find((type) => drops[type] && dataTransfer.types.includes(type)) // prettier-ignore
  return {
    onDragOver: (event: DragEvent) => {
      if (typeIn(event)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const type = typeIn(event)
      if (!type) return
      event.preventDefault()
      event.stopPropagation()
      drops[type]!(event.dataTransfer.getData(type))
    },
  }
}

interface HandleProps {
  readonly id: string
  readonly label: string
  readonly drag: readonly [type: string, id: string]
  readonly onMove: (by: -1 | 1) => void
}

function Handle({ id, label, drag: [type, dragged], onMove }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      data-handle={id}
      draggable
      style={{ cursor: 'grab' }}
      onDragStart={(event) => event.dataTransfer.setData(type, dragged)}
      onKeyDown={onKeyDown}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  )
}

interface LineProps {
  readonly attribute: string
  readonly label: string
  readonly place: { readonly group: string; readonly index: number; readonly count: number }
  readonly groups: readonly AttributeGroup[]
  /** Absent for users who may not change groups. */
  readonly moves: Moves | undefined
}

function Line({ attribute, label, place: { group, index }, groups, moves }: LineProps) {
  const t = useTexts(texts)
  const isGrouped = group !== ''
  const drops = { [attributeDrag]: moves && isGrouped ? (key: string) => moves.place(key, group, index) : undefined }
  return (
    <div className={classes.definition} {...droppable(drops)}>
      {moves && (
        <Handle
          id={attribute}
          label={t('moveAttribute', { name: label })}
          drag={[attributeDrag, attribute]}
          onMove={(by) => {
            if (!isGrouped) return
            moves.place(attribute, group, index + by)
            moves.focusAgain(attribute)
          }}
        />
      )}
      <span>{label}</span>
      {moves && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('moveToGroup', { name: label })}>
              <IconArrowMoveRight size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {groups
              .filter(({ tid }) => tid !== group)
              .map((to) => (
                <Menu.Item key={to.tid} onClick={() => moves.place(attribute, to.tid, to.members.length)}>
                  {to.label}
                </Menu.Item>
              ))}
            {isGrouped && <Menu.Item onClick={() => moves.place(attribute, undefined, 0)}>{t('noGroup')}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

interface ToolsProps {
  readonly group: AttributeGroup
  readonly onEdit: () => void
  readonly onDelete: () => Promise<unknown>
}

function Tools({ group: { label }, onEdit, onDelete }: ToolsProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const confirmDelete = useConfirmDelete()
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={`${word('rename')}: ${label}`} onClick={onEdit}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={`${word('delete')}: ${label}`}
        onClick={() => confirmDelete(t('deleteDefinition', { name: label }), t('deleteGroupBody'), onDelete)}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </>
  )
}
