/** Storages of files: their names, and how previews of their files are made. */
import { Button } from '@mantine/core'
import { schemaVersion } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { fromStorage, newStorage, type Storage, StorageSettings, toStorage } from './storage.ts'
import { texts } from './texts.ts'

export function StoragesPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const { dam } = useClient()
  const attempt = useAttempt()
  const [edited, setEdited] = useState<Storage>()
  const storages = useQuery({
    queryKey: ['settings', 'storages'],
    queryFn: async () => ((await dam.retrieveRncs()).rncs?.rnc ?? []).map(toStorage),
  })
  const isNew = edited === newStorage
  const save = (storage: Storage) => {
    const body = { schemaVersion, rncs: { rnc: [fromStorage(storage)] } }
    return attempt(accepted(dam.persistRncs({ body }).then(({ responses }) => responses?.response ?? [])))
  }
  return (
    <>
      <ListPage
        type={StorageSettings}
        label={t('storages')}
        query={storages}
        labelOf={labelOf}
        keyOf={({ tid }) => tid}
        onOpen={setEdited}
        tools={<Button onClick={() => setEdited(newStorage)}>{t('newStorage')}</Button>}
        fields={{
          tid: { width: '8rem' },
          name: { width: 'minmax(10rem, 2fr)' },
          makesPreviews: { text: ({ makesPreviews }) => w(makesPreviews ? 'yes' : 'no') },
          allPages: { text: ({ allPages }) => w(allPages ? 'yes' : 'no') },
          ...hide('useResolution', 'resolution'),
        }}
        actions={(storage) => (
          <Button size="compact-sm" variant="subtle" onClick={() => setEdited(storage)}>
            {w('edit')}
          </Button>
        )}
      />
      {edited && (
        <FormDialog
          type={StorageSettings}
          title={isNew ? t('newStorage') : (edited.name ?? edited.tid)}
          submitLabel={w('save')}
          initial={edited}
          labelOf={labelOf}
          fields={({ useResolution }) => ({
            tid: { description: t('storageIdHint'), disabled: !isNew },
            name: {},
            makesPreviews: {},
            allPages: {},
            largestPreview: {},
            useResolution: {},
            resolution: { min: 72, max: 300, disabled: !useResolution },
          })}
          onSubmit={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
