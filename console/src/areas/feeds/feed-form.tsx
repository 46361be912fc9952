/** The form for a feed: products or files, schedule, and place. */
import { Button, Checkbox, Group, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { feedDirections, feedPlaceKinds } from '@kontor/contract'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { Picker } from '../../object/picker.tsx'
import { PurposeFields } from '../../object/purpose-fields.tsx'
import { ScheduleInput } from '../../object/schedule/schedule-input.tsx'
import { hasColumns } from '../../object/export-columns.tsx'
import { hasPictures } from '../../object/export-format.ts'
import { exportFormatTexts } from '../../object/export-format-texts.ts'
import { FormatFields, LocalesField, useLayoutOf } from '../../object/export-format-fields.tsx'
import { RenditionSelect } from '../../object/rendition-select.tsx'
import { renditionTexts } from '../../object/rendition-texts.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { adminKinds, type Draft, neededFields, type PlaceField, placeFields, secretFields, sourceKinds, toDraft, toFeed } from './draft.ts' // prettier-ignore
import { texts } from './texts.ts'
import { type Feed, useChoices, useFeedChange, useFeeds } from './use-feeds.ts'

interface FeedFormProps {
  /** Absent for a new feed. */
  readonly feed?: Feed
  readonly onClose: () => void
  readonly onStored: (name: string) => void
}
interface PartProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

export function FeedForm({ feed, onClose, onStored }: FeedFormProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { feeds } = useClient()
  const change = useFeedChange()
  const [draft, setDraft] = useState(() => toDraft(feed))
  const set = (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some }))
  const { name, direction, kind } = draft
  const layout = useLayoutOf(draft)
  const { data: others = [] } = useFeeds()
  const isTaken = !feed && others.some((one) => one.name === name.trim())
  const store = () =>
    change(async () => {
      await feeds.putFeed({ params: { name: name.trim() }, body: toFeed(draft, feed, layout) })
      onStored(name.trim())
      onClose()
    })
  return (
    <FormModal title={feed ? name : t('add')} size="lg" onSubmit={store} onClose={onClose}>
      {!feed && (
        <TextInput
          label={w('name')}
          required
          data-autofocus
          value={name}
          error={isTaken && w('nameTaken')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      )}
      <Select
        label={t('direction')}
        data={feedDirections.map((value) => ({ value, label: t(value) }))}
        value={direction}
        allowDeselect={false}
        onChange={(one) =>
          set({
            direction: (one ?? 'export') as Draft['direction'],
            ...(one === 'import' && !sourceKinds.has(kind) && { kind: 'sftp' }),
          })
        }
      />
      {direction === 'export' ? <ExportPart draft={draft} set={set} /> : <ImportPart draft={draft} set={set} />}
      <PlacePart draft={draft} set={set} stored={feed?.place} />
      <ScheduleInput
        choice={draft.schedule}
        timeZone={draft.timeZone}
        onChange={(schedule, timeZone) => set({ schedule, timeZone })}
      />
      <Switch
        label={t('enabled')}
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={isTaken}>
          {w('save')}
        </Button>
      </Group>
    </FormModal>
  )
}

function ProfileInput({ draft, set }: PartProps) {
  const t = useTexts(texts)
  const { profiles } = useChoices()
  return (
    <Select
      label={t('profile')}
      placeholder={t('noProfile')}
      clearable
      data={profiles}
      value={draft.profile}
      onChange={(profile) => set({ profile })}
    />
  )
}

function ExportPart({ draft, set }: PartProps) {
  const t = useTexts(texts)
  const r = useTexts(renditionTexts)
  const f = useTexts(exportFormatTexts)
  const { searches } = useChoices()
  const layout = useLayoutOf(draft)
  return (
    <>
      <Picker
        kind="category"
        label={t('categories')}
        {...(draft.categories.length === 0 && { placeholder: t('everything') })}
        value={draft.categories}
        disabled={draft.search !== null}
        onChange={(categories) => set({ categories })}
      />
      <Select
        label={t('search')}
        placeholder={t('everything')}
        clearable
        data={searches.map(({ id, name = '' }) => ({ value: String(id), label: name }))}
        value={draft.search}
        onChange={(search) => set({ search })}
      />
      <FormatFields
        value={draft}
        onChange={({ format, layout: next, profile }) => set({ format, layout: next, profile })}
      />
      {layout !== 'xliff' && <LocalesField value={draft.locales} onChange={(locales) => set({ locales })} />}
      {hasColumns(draft.format) && layout === 'plain' && (
        <Checkbox
          label={f('inherited')}
          description={f('inheritedHint')}
          checked={draft.inherited}
          onChange={({ currentTarget }) => set({ inherited: currentTarget.checked })}
        />
      )}
      {layout !== 'xliff' && <PurposeFields value={draft.purpose} onChange={(purpose) => set({ purpose })} />}
      {hasPictures(draft.format, layout) && (
        <RenditionSelect
          label={r('pictures')}
          description={r(draft.format === 'zip' ? 'picturesInZip' : 'picturesAsAddresses')}
          placeholder={r('asTheyAre')}
          value={draft.pictures}
          onChange={(pictures) => set({ pictures })}
        />
      )}
      <TextInput
        label={t('fileName')}
        description={t('fileNameHint', { date: '{date}', time: '{time}', run: '{run}' })}
        placeholder={`${draft.name}.${draft.format}`}
        value={draft.fileName}
        onChange={(event) => set({ fileName: event.currentTarget.value })}
      />
      {draft.kind !== 'download' && layout === 'plain' && (
        <TextInput
          label={t('series')}
          description={t('seriesHint')}
          value={draft.series}
          onChange={(event) => set({ series: event.currentTarget.value })}
        />
      )}
      <ShrinkInput draft={draft} set={set} />
    </>
  )
}

function ShrinkInput({ draft, set }: PartProps) {
  const t = useTexts(texts)
  const isExport = draft.direction === 'export'
  return (
    <NumberInput
      label={t(isExport ? 'maxShrink' : 'maxShrinkRows')}
      description={t(isExport ? 'maxShrinkHint' : 'maxShrinkRowsHint')}
      min={1}
      max={100}
      allowDecimal={false}
      value={draft.maxShrink}
      onChange={(value) => set({ maxShrink: String(value) })}
    />
  )
}

function ImportPart({ draft, set }: PartProps) {
  const t = useTexts(texts)
  return (
    <>
      <ProfileInput draft={draft} set={set} />
      <TextInput
        label={t('pattern')}
        placeholder="prices-*.csv"
        value={draft.pattern}
        onChange={(event) => set({ pattern: event.currentTarget.value })}
      />
      <ShrinkInput draft={draft} set={set} />
    </>
  )
}

function PlacePart({ draft, set, stored }: PartProps & { readonly stored: Feed['place'] | undefined }) {
  const t = useTexts(texts)
  const isAdmin = useMe().roles?.includes('admin') ?? false
  const { direction, kind, place } = draft
  const offered = feedPlaceKinds.filter(
    (one) => (direction === 'export' || sourceKinds.has(one)) && (!adminKinds.has(one) || isAdmin),
  )
  const fill = (field: PlaceField, value: string) => set({ place: { ...place, [field]: value } })
  return (
    <>
      <Select
        label={t(direction === 'export' ? 'to' : 'from')}
        data={offered.map((value) => ({ value, label: t(value) }))}
        value={kind}
        allowDeselect={false}
        onChange={(one) =>
          set({ kind: (one ?? kind) as Draft['kind'], series: one === 'download' ? '' : draft.series })
        }
      />
      {placeFields[kind].map((field) => (
        <PlaceInput
          key={field}
          field={field}
          value={place[field] ?? ''}
          isStored={stored?.secrets?.includes(field) ?? false}
          isNeeded={neededFields.has(field) || (kind === 'folder' && field === 'path')}
          onChange={(value) => fill(field, value)}
        />
      ))}
    </>
  )
}

interface PlaceInputProps {
  readonly field: PlaceField
  readonly value: string
  readonly isStored: boolean
  readonly isNeeded: boolean
  readonly onChange: (value: string) => void
}

function PlaceInput({ field, value, isStored, isNeeded, onChange }: PlaceInputProps) {
  const t = useTexts(texts)
  const shared = {
    label: t(field === 'to' ? 'recipients' : field),
    value,
    required: isNeeded,
    ...(isStored && { placeholder: t('stored') }),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (field === 'method')
    return (
      <Select
        label={shared.label}
        data={['PUT', 'POST']}
        value={value || 'PUT'}
        allowDeselect={false}
        onChange={(one) => onChange(one ?? 'PUT')}
      />
    )
  if (field === 'privateKey') return <Textarea {...shared} autosize minRows={2} maxRows={6} autoComplete="off" />
  return secretFields.has(field) ? (
    <PasswordInput {...shared} autoComplete="new-password" />
  ) : (
    <TextInput {...shared} autoComplete="off" />
  )
}
