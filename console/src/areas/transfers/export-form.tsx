/** The form for an export: format and products. */
import { Button, Select, TextInput } from '@mantine/core'
import { transferFormats } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { columnsOf, ExportColumns, hasColumns } from '../../object/export-columns.tsx'
import { PickOne } from '../../object/picker.tsx'
import { hasPictures, RenditionSelect } from '../../object/rendition-select.tsx'
import { renditionTexts } from '../../object/rendition-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import { noTranslation, TranslationFields } from './translation-fields.tsx'
import { useTransferChange } from './use-transfers.ts'

interface ExportFormProps {
  readonly onClose: () => void
  readonly onStarted: (id: string | undefined) => void
}

export function ExportForm({ onClose, onStarted }: ExportFormProps) {
  const t = useTexts(texts)
  const r = useTexts(renditionTexts)
  const { transfers, search } = useClient()
  const change = useTransferChange()
  const [chosen, setChosen] = useState<(typeof transferFormats)[number] | 'xliff'>('csv')
  const [translation, setTranslation] = useState(noTranslation)
  const isTranslation = chosen === 'xliff'
  const format = isTranslation ? 'xml' : chosen
  const [node, setNode] = useState<string>()
  const [stored, setStored] = useState<string | null>(null)
  const [series, setSeries] = useState('')
  const [pictures, setPictures] = useState<string | null>(null)
  const [columns, setColumns] = useState<readonly string[]>([])
  const searches = useQuery({
    queryKey: ['stored searches', 'PRODUCT'],
    queryFn: async () => (await search.listStoredSearches({ query: { index: 'PRODUCT' } })).storedSearchEntries ?? [],
  })
  const start = () =>
    change(async () => {
      const body = {
        format,
        ...(node !== undefined && stored === null && { nodePaths: [node] }),
        ...(stored !== null && { storedSearch: Number(stored) }),
        ...(series !== '' && !isTranslation && { series }),
        ...(pictures !== null && hasPictures(format) && { pictures }),
        ...(isTranslation && translationOf(translation)),
        ...(hasColumns(format) && columnsOf(columns)),
      }
      onStarted((await transfers.createExport({ body })).id)
      onClose()
    })
  return (
    <FormModal title={t('export')} onSubmit={start} onClose={onClose}>
      <Select
        label={t('format')}
        data={[...transferFormats, { value: 'xliff', label: t('forTranslators') }]}
        value={chosen}
        allowDeselect={false}
        onChange={(one) => setChosen((one ?? 'csv') as typeof chosen)}
      />
      {isTranslation && <TranslationFields value={translation} onChange={setTranslation} />}
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
      <PickOne
        kind="category"
        label={t('node')}
        placeholder={t('everything')}
        value={node}
        disabled={stored !== null}
        onChange={setNode}
      />
      <Select
        label={t('stored')}
        placeholder={t('everything')}
        clearable
        data={(searches.data ?? []).map(({ id, name = '' }) => ({ value: String(id), label: name }))}
        value={stored}
        onChange={setStored}
      />
      {!isTranslation && (
        <TextInput
          label={t('series')}
          description={t('seriesHint')}
          value={series}
          onChange={(event) => setSeries(event.currentTarget.value)}
        />
      )}
      <Button type="submit">{t('start')}</Button>
    </FormModal>
  )
}

function translationOf({ source, target = '', ...others }: typeof noTranslation) {
  return { layout: 'xliff' as const, translation: { ...others, target, ...(source !== '' && { source }) } }
}
