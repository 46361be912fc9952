/** The file of a known system, such as Akeneo: its columns need no mapping, but the data model may lack some of them. */
import { Alert, Button, Group, Switch, Text } from '@mantine/core'
import { IconFileCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient, useMay } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Preview } from './preview.tsx'
import { layoutNames } from '../../object/export-format.ts'
import { texts } from './texts.ts'
import type { Profile } from './mapping/use-mapping.ts'
import { type Transfer, useTransferChange } from './use-transfers.ts'

/** Layouts of files that are never tables, also in a zip. */
const documents: ReadonlySet<string> = new Set(['bmecat', 'gs1', 'xliff'])

/** Layouts of catalogues, which name products to delete. */
const marking: ReadonlySet<string> = new Set(['bmecat', 'gs1'])

export function KnownLayout({ transfer }: { readonly transfer: Transfer }) {
  const t = useTexts(texts)
  const may = useMay()
  const { transfers } = useClient()
  const change = useTransferChange()
  const queries = useQueryClient()
  const { id = '', layout = 'plain', format, createModel = false } = transfer
  const params = { id }
  const stored = useQuery({
    queryKey: ['transfers', id, 'profile'],
    queryFn: async () => (await transfers.getTransfer({ params })).profile ?? {},
  })
  const set = (changes: Pick<Profile, 'layout' | 'deletions'>, creates: boolean) =>
    change(async () => {
      const { profile = {} } = await transfers.getTransfer({ params })
      const body = { ...profile, ...changes }
      await transfers.setProfile({ params, query: { createModel: String(creates) }, body })
      await queries.invalidateQueries({ queryKey: ['transfers', id] })
    })
  return (
    <>
      <Alert icon={<IconFileCheck />} title={t('knownTitle', { system: layoutNames[layout] })}>
        <Text size="sm">{t(layout === 'xliff' ? 'translatedBody' : 'knownBody')}</Text>
        {layout !== 'xliff' && may('update', 'product') && (
          <Group mt="sm">
            <Switch
              label={t('createModel')}
              checked={createModel}
              onChange={({ currentTarget }) => void set({}, currentTarget.checked)}
            />
            {marking.has(layout) && (
              <Switch
                label={t('deletions')}
                checked={stored.data?.deletions === 'delete'}
                onChange={({ currentTarget }) =>
                  void set({ deletions: currentTarget.checked ? 'delete' : 'refuse' }, createModel)
                }
              />
            )}
            {(format === 'csv' || format === 'xlsx' || (format === 'zip' && !documents.has(layout))) && (
              <Button variant="subtle" size="compact-sm" onClick={() => void set({ layout: 'plain' }, false)}>
                {t('mapByHand')}
              </Button>
            )}
          </Group>
        )}
      </Alert>
      <Preview id={id} />
    </>
  )
}
