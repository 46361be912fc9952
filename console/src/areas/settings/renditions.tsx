/** Rendition profiles: the sizes, crops and formats that shops and print systems need. */
import { ActionIcon, Button, ColorInput, Group } from '@mantine/core'
import { type Infer, RenditionProfile } from '@kontor/contract'
import { IconCrop, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { withField } from '../../object/fields.ts'
import type { FormFields } from '../../object/form.tsx'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { codesOf } from '../../object/locale-codes.ts'
import { ListPage } from '../../object/list-page.tsx'
import { newId } from '../../object/new-id.ts'
import { PickOne } from '../../object/picker.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAttempt } from './attempt.ts'
import { renditionTexts } from '../../object/rendition-texts.ts'

type Profile = Infer<typeof RenditionProfile>

/** Columns of the list; the form shows the other fields. */
const listed = new Set(['tid', 'name', 'width', 'format'])

export function RenditionsPart() {
  const t = useTexts(renditionTexts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(renditionTexts)
  const { language } = useLanguage()
  const { dam } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [edited, setEdited] = useState<Profile>()
  const profiles = useQuery({
    queryKey: ['settings', 'renditions'],
    queryFn: async () => (await dam.listRenditionProfiles()).profiles ?? [],
  })
  const taken = (profiles.data ?? []).flatMap(({ tid }) => tid ?? [])
  const isTaken = ({ tid = '' }: Profile) => edited?.tid === undefined && taken.includes(tid.trim())
  const create = <Button onClick={() => setEdited({})}>{t('newProfile')}</Button>
  const hidden = Object.fromEntries(
    Object.keys(RenditionProfile.fields).flatMap((name) => (listed.has(name) ? [] : [[name, false]])),
  )
  const remove = ({ tid = '', name = tid }: Profile) =>
    confirmDelete(t('deleteProfile', { name }), t('deleteBody'), () =>
      attempt(dam.deleteRenditionProfile({ params: { tid } }).then(() => true)),
    )
  const revoke = ({ tid = '', name = tid }: Profile) =>
    confirmDanger({
      title: t('revokeTitle', { name }),
      body: t('revokeBody'),
      confirm: t('revoke'),
      cancel: w('cancel'),
      onConfirm: () => void attempt(dam.revokeRenditionProfile({ params: { tid } }), t('revoked')),
    })
  return (
    <>
      <ListPage
        type={RenditionProfile}
        label={t('profiles')}
        query={profiles}
        labelOf={labelOf}
        keyOf={({ tid = '' }) => tid}
        onOpen={setEdited}
        tools={create}
        empty={
          <Empty icon={IconCrop} title={t('none')} action={create}>
            {t('noneHint')}
          </Empty>
        }
        fields={{
          tid: { width: '10rem' },
          name: { width: 'minmax(10rem, 2fr)', text: ({ name, tid = '' }) => name ?? tid },
          width: { title: t('size'), width: '10rem', text: (profile) => sizeOf(profile) ?? t('anySize') },
          format: { width: '7rem', text: ({ format = 'jpeg' }) => t(format) },
          ...hidden,
        }}
        actions={(profile) => (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={() => revoke(profile)}>
              {t('revoke')}
            </Button>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${w('delete')}: ${profile.tid}`}
              onClick={() => remove(profile)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )}
        actionsWidth="14rem"
      />
      {edited && (
        <FormDialog<Profile>
          type={RenditionProfile}
          title={edited.name ?? edited.tid ?? t('newProfile')}
          submitLabel={w('save')}
          initial={edited}
          draftOf={`rendition.${edited.tid ?? 'new'}`}
          labelOf={labelOf}
          fields={(value) =>
            formFields(t, value, edited.tid === undefined, language, isTaken(value) ? w('idTaken') : undefined)
          }
          canSubmit={(value) => !isTaken(value)}
          onSubmit={({ tid = '', ...body }) =>
            attempt(dam.putRenditionProfile({ params: { tid: tid.trim() || newId(body.name ?? '', taken) }, body }))
          }
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

const sizeOf = ({ width, height }: Profile) =>
  width === undefined && height === undefined ? undefined : `${width ?? '…'} × ${height ?? '…'}`

function formFields(
  t: ReturnType<typeof useTexts<keyof typeof renditionTexts.en>>,
  value: Profile,
  isNew: boolean,
  language: string,
  fault: string | undefined,
) {
  const { fit, watermarkTid } = value
  const file = (name: 'watermarkTid' | 'iccTid') => ({
    control: (now: Profile, onChange: (next: Profile) => void) => (
      <PickOne kind="file" label={t(name)} value={now[name]} onChange={(tid) => onChange(withField(now, name, tid))} />
    ),
  })
  return {
    name: { required: isNew },
    tid: { description: t('tidHint'), disabled: !isNew, error: fault },
    width: { min: 1, max: 10_000 },
    height: { min: 1, max: 10_000 },
    fit: { fallback: 'inside' },
    crop: fit === 'cover' && { fallback: 'focus' },
    enlarge: {},
    format: { fallback: 'jpeg' },
    quality: value.format !== 'png' && { min: 1, max: 100 },
    colourSpace: { fallback: 'srgb' },
    dpi: { min: 1, max: 2400 },
    background: {
      control: (now: Profile, onChange: (next: Profile) => void) => (
        <ColorInput
          label={t('background')}
          description={t('backgroundHint')}
          withEyeDropper={false}
          value={now.background ?? ''}
          onChange={(colour) => onChange(withField(now, 'background', colour || undefined))}
        />
      ),
    },
    keepMetadata: {},
    metadata: value.format !== 'avif' && {},
    removeLocation: (value.keepMetadata || value.metadata !== undefined) && {},
    fileName: { description: t('fileNameHint', { name: '{name}', tid: '{tid}', profile: '{profile}', width: '{width}', height: '{height}' }) }, // prettier-ignore
    channelTid: {
      control: (now: Profile, onChange: (next: Profile) => void) => (
        <PickOne
          kind="project"
          label={t('channelTid')}
          description={t('madeForHint')}
          value={now.channelTid}
          onChange={(tid) => onChange(withField(now, 'channelTid', tid))}
        />
      ),
    },
    medium: {},
    territory: { options: codesOf('region', language) },
    watermarkTid: file('watermarkTid'),
    watermarkPosition: watermarkTid !== undefined && { fallback: 'southeast' },
    watermarkPercent: watermarkTid !== undefined && { min: 1, max: 100 },
    watermarkOpacity: watermarkTid !== undefined && { min: 1, max: 100 },
    iccTid: file('iccTid'),
  } satisfies FormFields<Profile>
}
