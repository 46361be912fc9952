/** Deleted assets and folders that can still be restored. */
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient, useMay } from '../../object/client.tsx'
import { fact } from '../../object/items.ts'
import { ObjectList } from '../../object/list.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { BackToAssets } from './back-to-assets.tsx'
import { useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'

export function TrashPage() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { dam } = useClient()
  const act = useAssetActions()
  const may = useMay()
  const trash = useQuery({ queryKey: ['assets', 'trash'], queryFn: () => dam.trash.retrieve({}) })
  return (
    <Page fill title={t('trash')} before={<BackToAssets />}>
      <Loaded query={trash}>
        {(assets) =>
          assets.length === 0 ? (
            <Empty icon={IconTrash} title={t('trashEmpty')}>
              {t('trashEmptyBody')}
            </Empty>
          ) : (
            <ObjectList
              label={t('trash')}
              rows={assets}
              keyOf={({ tid }) => tid!}
              columns={[
                { id: 'name', title: w('name'), width: 'minmax(14rem, 2fr)', text: ({ name }) => name ?? '' },
                { id: 'path', title: t('directories'), width: 'minmax(14rem, 2fr)', text: ({ path }) => path ?? '' },
                {
                  id: 'deleted',
                  title: t('deletedAt'),
                  width: '12rem',
                  show: (asset) =>
                    format.dateTime(fact(asset, 'deletionDate') ?? fact(asset, 'modificationDate') ?? new Date()),
                  text: (asset) => fact(asset, 'deletionDate') ?? '',
                },
                {
                  id: 'restore',
                  title: w('actions'),
                  width: '9rem',
                  text: () => '',
                  show: ({ tid }) =>
                    may('update', 'asset') && (
                      <Button size="compact-sm" variant="subtle" onClick={() => void act.restore([tid!])}>
                        {t('restore')}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  )
}
