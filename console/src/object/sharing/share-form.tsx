/** Dialogs that create or edit a share page or an upload request. The address is shown once. */
import { Button, Checkbox, Group, MultiSelect, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { DateField } from '../../ui/date-field.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { useClient } from '../client.tsx'
import { metadataTexts } from '../metadata-texts.ts'
import { PickOne } from '../picker.tsx'
import { RenditionSelect, useRenditionProfiles } from '../rendition-select.tsx'
import { sharingTexts } from './texts.ts'
import { type Fields, type Share, useShareChange, withFields } from './use-sharing.ts'

interface ShareFormProps {
  /** The assets or the collection to share; an upload request shares nothing. */
  readonly of: Pick<Share, 'tids' | 'collection'> | 'upload'
  readonly title?: string
  /** The page to edit; its address stays. */
  readonly stored?: Share
  readonly onClose: () => void
}

/** Without what only replies have. */
function editable(share: Share): Share {
  const { id: _id, url: _url, hasPassword: _has, state: _state, owner: _owner, waiting: _waiting, createdAt: _at, ...rest } = share // prettier-ignore
  return { ...rest, expiresAt: rest.expiresAt.slice(0, 10) }
}

const monthAhead = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

export function ShareForm({ of, title = '', stored, onClose }: ShareFormProps) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { shares } = useClient()
  const change = useShareChange()
  const kind = of === 'upload' ? 'upload' : 'download'
  const [share, setShare] = useState<Share>(stored ? editable(stored) : { kind, title, expiresAt: monthAhead(), ...(kind === 'download' && { original: true }) }) // prettier-ignore
  const [isOpen, setOpen] = useState(false)
  const [url, setUrl] = useState<string>()
  const set = (fields: Fields<Share>) => setShare(withFields(share, fields))
  const save = () =>
    change(async () => {
      const { password = '', message = '', expiresAt, ...rest } = share
      const body = {
        ...rest,
        ...(of !== 'upload' && of),
        expiresAt: `${expiresAt.slice(0, 10)}T23:59:59.000Z`,
        ...((password !== '' || isOpen) && { password }),
        ...(message !== '' && { message }),
      }
      if (!stored) return setUrl((await shares.createShare({ body })).url)
      await shares.putShare({ params: { id: String(stored.id) }, body })
      notifyDone(w('saved'))
      onClose()
    })
  if (url !== undefined)
    return (
      <FormModal key="address" title={share.title} closeOnClickOutside={false} onSubmit={onClose} onClose={onClose}>
        <OneTimeSecret title={t('address')} secret={url} onClose={onClose} />
        <Button type="submit">{w('close')}</Button>
      </FormModal>
    )
  const isReady = share.title.trim() !== '' && share.expiresAt !== '' && (kind === 'download' || share.folder)
  return (
    <FormModal
      title={stored ? `${w('edit')}: ${stored.title}` : t(kind === 'upload' ? 'requestTitle' : 'shareTitle')}
      size="lg"
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={t('pageTitle')}
        required
        data-autofocus
        maxLength={200}
        value={share.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t('message')}
        autosize
        minRows={2}
        maxLength={5000}
        value={share.message ?? ''}
        onChange={(event) => set({ message: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <DateField label={t('expires')} required value={share.expiresAt} onChange={(expiresAt) => set({ expiresAt })} />
        <TextInput
          label={t('password')}
          description={t('passwordHint')}
          autoComplete="off"
          maxLength={128}
          value={share.password ?? ''}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
      </Group>
      {stored?.hasPassword && (
        <Checkbox
          label={t('removePassword')}
          checked={isOpen}
          disabled={(share.password ?? '') !== ''}
          onChange={(event) => setOpen(event.currentTarget.checked)}
        />
      )}
      {kind === 'download' ? <Formats share={share} set={set} /> : <Limits share={share} set={set} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={!isReady}>
          {stored ? w('save') : t('create')}
        </Button>
      </Group>
    </FormModal>
  )
}

interface PartProps {
  readonly share: Share
  readonly set: (fields: Fields<Share>) => void
}

function Formats({ share, set }: PartProps) {
  const t = useTexts(sharingTexts)
  const m = useTexts(metadataTexts)
  const profiles = useRenditionProfiles()
  return (
    <>
      <Checkbox
        label={t('original')}
        checked={share.original ?? false}
        onChange={(event) => set({ original: event.currentTarget.checked })}
      />
      {share.original && (
        <Checkbox
          label={m('shared')}
          checked={share.metadata === 'embed'}
          onChange={(event) => set({ metadata: event.currentTarget.checked ? 'embed' : undefined })}
        />
      )}
      {profiles.length > 0 && (
        <MultiSelect
          label={t('renditions')}
          data={profiles.map(({ tid: value = '', name: label = value }) => ({ value, label }))}
          value={share.profiles ?? []}
          onChange={(chosen) => set({ profiles: chosen })}
        />
      )}
      <RenditionSelect
        label={t('watermark')}
        description={t('watermarkHint')}
        placeholder=""
        value={share.watermark ?? null}
        onChange={(tid) => set({ watermark: tid ?? undefined })}
      />
    </>
  )
}

function Limits({ share, set }: PartProps) {
  const t = useTexts(sharingTexts)
  return (
    <>
      <PickOne kind="folder" label={t('folder')} required value={share.folder} onChange={(folder) => set({ folder })} />
      <Group grow>
        <NumberInput
          label={t('maxFiles')}
          min={1}
          max={1000}
          value={share.maxFiles ?? 100}
          onChange={(value) => set({ maxFiles: Number(value) || 1 })}
        />
        <NumberInput
          label={t('maxMegabytes')}
          min={1}
          max={100_000}
          value={share.maxMegabytes ?? 100}
          onChange={(value) => set({ maxMegabytes: Number(value) || 1 })}
        />
      </Group>
      <TagsInput
        label={t('extensions')}
        description={t('extensionsHint')}
        value={share.extensions ?? []}
        onChange={(extensions) => set({ extensions: extensions.map((one) => one.replace(/^\./, '')) })}
      />
    </>
  )
}
