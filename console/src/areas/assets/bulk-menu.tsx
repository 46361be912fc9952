/** Changes of many files: values, names and links to products, of a selection or of everything that is listed. */
import { Button, Menu } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { BulkDialog } from '../../object/bulk/bulk-dialog.tsx'
import { LinkDialog } from '../../object/bulk/link-dialog.tsx'
import { patternTexts } from '../../object/bulk/pattern-texts.ts'
import { RenameDialog } from '../../object/bulk/rename-dialog.tsx'
import type { Selection } from '../../object/bulk/use-live-preview.ts'
import { useClient, useMay } from '../../object/client.tsx'
import { useAssetAttributes } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { type AssetSelection, fieldsOf, isPlainFolder, orders, queryOf } from './assets.ts'
import { texts } from './texts.ts'

const kinds = { change: 'change', rename: 'rename', link: 'linkByName' } as const
type Kind = keyof typeof kinds

interface FileBulkProps {
  readonly selection: Selection
  readonly count: number
  readonly label: string
}

/** A menu with the three dialogs. */
export function FileBulk({ selection, count, label }: FileBulkProps) {
  const t = useTexts(patternTexts)
  const may = useMay()
  const attributes = useAssetAttributes()
  const [kind, setKind] = useState<Kind>()
  const close = () => setKind(undefined)
  if (!may('update', 'asset')) return null
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" leftSection={<IconEdit size={15} />}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(kinds) as Kind[]).map((one) => (
            <Menu.Item key={one} onClick={() => setKind(one)}>
              {t(kinds[one])}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {kind === 'change' && (
        <BulkDialog
          kind="asset"
          first="addKeyword"
          count={count}
          attributes={attributes}
          selection={selection}
          onClose={close}
        />
      )}
      {kind === 'rename' && <RenameDialog selection={selection} onClose={close} />}
      {kind === 'link' && <LinkDialog selection={selection} onClose={close} />}
    </>
  )
}

/** Everything that the list shows; of a folder also what is below it. */
export function ChangeListed({ selection, total }: { selection: AssetSelection; total: number }) {
  const t = useTexts(texts)
  const client = useClient()
  const queries = useQueryClient()
  const all = useCallback(async () => {
    if (isPlainFolder(selection)) return { folderPaths: [selection.dir!] }
    const query = queryOf(selection, await queries.fetchQuery(fieldsOf(client)))
    const context = { searchType: 'INDEX' as const, index: 'ASSET' as const }
    return { search: { context, query, sortOptions: [orders[selection.order]] } }
  }, [selection, client, queries])
  return total > 0 && <FileBulk selection={all} count={total} label={t('changeAll')} />
}
