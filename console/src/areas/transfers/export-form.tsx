/** The form for an export: format, mapping profile, languages and products. */
import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { columnsOf, ExportColumns, hasColumns } from '../../object/export-columns.tsx'
import { PickOne } from '../../object/picker.tsx'
import { type Purpose, PurposeFields, purposeOf } from '../../object/purpose-fields.tsx'
import { choiceOf, type ExportFormat, hasPictures } from '../../object/export-format.ts'
import { FormatFields, LocalesField, useLayoutOf } from '../../object/export-format-fields.tsx'
import { exportFormatTexts } from '../../object/export-format-texts.ts'
import { RenditionSelect } from '../../object/rendition-select.tsx'
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
  const f = useTexts(exportFormatTexts)
  const { transfers, search } = useClient()
  const change = useTransferChange()
  const [written, setWritten] = useState<ExportFormat>({ format: 'csv', layout: undefined, profile: null })
  const [locales, setLocales] = useState<readonly string[]>([])
  const [translation, setTranslation] = useState(noTranslation)
  const { format, profile } = written
  const layout = useLayoutOf(written)
  const isTranslation = layout === 'xliff'
  const isPlain = layout === 'plain'
  const namesColumns = hasColumns(format) && isPlain && profile === null
  const [node, setNode] = useState<string>()
  const [stored, setStored] = useState<string | null>(null)
  const [series, setSeries] = useState('')
  const [pictures, setPictures] = useState<string | null>(null)
  const [columns, setColumns] = useState<readonly string[]>([])
  const [isInherited, setIsInherited] = useState(false)
  const [purpose, setPurpose] = useState<Purpose>({})
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
        ...(series !== '' && isPlain && { series }),
        ...(pictures !== null && hasPictures(format, layout) && { pictures }),
        ...(isTranslation ? translationOf(translation) : layoutOf(written)),
        ...(locales.length > 0 && !isTranslation && { locales: [...locales] }),
        ...(namesColumns && columnsOf(columns)),
        ...(isInherited && hasColumns(format) && isPlain && { inherited: true }),
        ...(!isTranslation && purposeOf(purpose)),
      }
      onStarted((await transfers.createExport({ body })).id)
      onClose()
    })
  return (
    <FormModal title={t('export')} onSubmit={start} onClose={onClose}>
      <FormatFields
        value={written}
        others={[{ value: choiceOf('xml', 'xliff'), label: t('forTranslators') }]}
        onChange={setWritten}
      />
      {isTranslation && <TranslationFields value={translation} onChange={setTranslation} />}
      {!isTranslation && <LocalesField value={locales} onChange={setLocales} />}
      {namesColumns && <ExportColumns value={columns} onChange={setColumns} />}
      {hasColumns(format) && isPlain && (
        <Checkbox
          label={f('inherited')}
          description={f('inheritedHint')}
          checked={isInherited}
          onChange={({ currentTarget }) => setIsInherited(currentTarget.checked)}
        />
      )}
      {hasPictures(format, layout) && (
        <RenditionSelect
          label={r('pictures')}
          description={r(format === 'zip' ? 'picturesInZip' : 'picturesAsAddresses')}
          placeholder={r('asTheyAre')}
          value={pictures}
          onChange={setPictures}
        />
      )}
      {!isTranslation && <PurposeFields value={purpose} onChange={setPurpose} />}
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
      {isPlain && (
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

const layoutOf = ({ layout, profile }: ExportFormat) => ({
  ...(layout !== undefined && { layout }),
  ...(profile !== null && { profile }),
})

function translationOf({ source, target = '', ...others }: typeof noTranslation) {
  return { layout: 'xliff' as const, translation: { ...others, target, ...(source !== '' && { source }) } }
}
