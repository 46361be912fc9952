/** The actions on a product as a whole: place, move, copy, start a workflow, export, compare, delete. */
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import {
  IconArrowsLeftRight,
  IconBroadcast,
  IconCopy,
  IconDots,
  IconFileExport,
  IconFolderShare,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useMay, useMayAt } from '../../../object/client.tsx'
import { PickOne } from '../../../object/picker.tsx'
import { StartWorkflow } from '../../../object/start-workflow.tsx'
import type { Attribute } from '../../../object/values/attribute.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { BulkExport } from '../bulk-export.tsx'
import { useWholeActions } from './product-actions.tsx'
import type { Item, ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { useLinkChanges } from './use-links.ts'

const Compare = lazy(() => import('./compare.tsx'))

type Dialog = 'place' | 'move' | 'workflow' | 'export' | 'compare'

interface ActionsMenuProps {
  readonly product: ProductMessage
  readonly root: Item
  readonly attributes: ReadonlyMap<string, Attribute>
}

export function ActionsMenu({ product, root, attributes }: ActionsMenuProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const mayHere = useMayAt('product', 'node', product.node ?? '')
  const { copy, remove, move } = useWholeActions(product)
  const links = useLinkChanges(root.tid)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={word('actions')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may('link', 'project') && (
            <Menu.Item leftSection={<IconBroadcast size={16} />} onClick={() => setDialog('place')}>
              {t('place')}
            </Menu.Item>
          )}
          {mayHere('update') && (
            <Menu.Item leftSection={<IconFolderShare size={16} />} onClick={() => setDialog('move')}>
              {t('move')}
            </Menu.Item>
          )}
          {mayHere('create') && (
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={copy}>
              {t('copy')}
            </Menu.Item>
          )}
          {may('create', 'workflow') && (
            <Menu.Item leftSection={<IconRoute size={16} />} onClick={() => setDialog('workflow')}>
              {t('startWorkflow')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFileExport size={16} />} onClick={() => setDialog('export')}>
            {t('export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowsLeftRight size={16} />} onClick={() => setDialog('compare')}>
            {t('compare')}
          </Menu.Item>
          {mayHere('delete') && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'place' && (
        <Choose title={t('place')} kind="project" label={t('channel')} onChoose={links.place} onClose={close} />
      )}
      {dialog === 'move' && (
        <Choose title={t('move')} kind="category" label={t('category')} onChoose={move} onClose={close} />
      )}
      {dialog === 'workflow' && <StartWorkflow kind="product" tids={[root.tid]} onClose={close} />}
      {dialog === 'export' && <BulkExport count={1} tids={async () => [root.tid]} onClose={close} />}
      {dialog === 'compare' && (
        <Suspense>
          <Compare root={root} attributes={attributes} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface ChooseProps {
  readonly title: string
  readonly kind: 'project' | 'category'
  readonly label: string
  /** Returns whether it was accepted. */
  readonly onChoose: (value: string) => Promise<boolean>
  readonly onClose: () => void
}

function Choose({ title, kind, label, onChoose, onClose }: ChooseProps) {
  const word = useTexts(commonTexts)
  const [value, setValue] = useState<string>()
  const submit = async () => {
    if (value && (await onChoose(value))) onClose()
  }
  return (
    <FormModal title={title} onSubmit={submit} onClose={onClose}>
      <PickOne kind={kind} label={label} value={value} onChange={setValue} required autoFocus />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" disabled={!value}>
          {title}
        </Button>
      </Group>
    </FormModal>
  )
}
