/** The dialog that exports the selected products. */
import { Button, Group, Select } from '@mantine/core'
import { transferFormats } from '@kontor/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { columnsOf, ExportColumns, hasColumns } from '../../object/export-columns.tsx'
import { hasPictures } from '../../object/export-format.ts'
import { RenditionSelect } from '../../object/rendition-select.tsx'
import { renditionTexts } from '../../object/rendition-texts.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { texts } from './texts.ts'

interface BulkExportProps {
  readonly count: number
  readonly tids: () => Promise<string[]>
  readonly onClose: () => void
}

export function BulkExport({ count, tids, onClose }: BulkExportProps) {
  const t = useTexts(texts)
  const r = useTexts(renditionTexts)
  const word = useTexts(commonTexts)
  const { transfers } = useClient()
  const navigate = useNavigate()
  const change = useChange(['transfers'])
  const [format, setFormat] = useState<(typeof transferFormats)[number]>('xlsx')
  const [pictures, setPictures] = useState<string | null>(null)
  const [columns, setColumns] = useState<readonly string[]>([])
  const start = () =>
    change(async () => {
      const body = {
        format,
        tids: await tids(),
        ...(pictures !== null && hasPictures(format) && { pictures }),
        ...(hasColumns(format) && columnsOf(columns)),
      }
      const { id } = await transfers.createExport({ body })
      notifyDone(t('exportStarted'))
      onClose()
      await navigate({ to: '/transfers', search: { transfer: id } })
    })
  return (
    <FormModal title={t('exportTitle', { count })} onSubmit={start} onClose={onClose}>
      <Select
        label={t('exportFormat')}
        data={[...transferFormats]}
        value={format}
        allowDeselect={false}
        onChange={(one) => setFormat((one ?? 'xlsx') as typeof format)}
        data-autofocus
      />
      {hasColumns(format) && <ExportColumns value={columns} onChange={setColumns} />}
      {hasPictures(format) && (
        <RenditionSelect
          label={r('pictures')}
          description={r(format === 'zip' ? 'picturesInZip' : 'picturesAsAddresses')}
          placeholder={r('asTheyAre')}
          value={pictures}
          onChange={setPictures}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit">{t('exportStart')}</Button>
      </Group>
    </FormModal>
  )
}
