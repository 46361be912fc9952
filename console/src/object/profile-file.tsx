/** Mapping profiles as JSON files, as the CLI reads and writes them. */
import { ActionIcon, FileButton } from '@mantine/core'
import { decode, formats, type Infer, TransferProfile } from '@kontor/contract'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { commonTexts } from '../ui/common-texts.ts'
import { confirmDanger } from '../ui/confirm.tsx'
import { useTexts } from '../ui/language.tsx'
import { notifyDone } from '../ui/notifications.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useChange } from './change.ts'
import { useClient } from './client.tsx'
import { exportFormatTexts } from './export-format-texts.ts'

type Profile = Infer<typeof TransferProfile>

export function DownloadProfile({ name }: { readonly name: string }) {
  const t = useTexts(exportFormatTexts)
  const { transfers } = useClient()
  const change = useChange()
  const download = () =>
    change(async () => {
      const profile = await transfers.getProfile({ params: { name } })
      const address = URL.createObjectURL(new Blob([JSON.stringify(profile, null, 2)], { type: 'application/json' }))
      saveFile(address, `${name}.json`)
      URL.revokeObjectURL(address)
    })
  return (
    <ActionIcon variant="subtle" aria-label={t('downloadProfile', { name })} onClick={() => void download()}>
      <IconDownload size={16} />
    </ActionIcon>
  )
}

export function UploadProfile() {
  const t = useTexts(exportFormatTexts)
  const w = useTexts(commonTexts)
  const { transfers } = useClient()
  const change = useChange(['transfers'], ['settings', 'profiles'])
  const store = (name: string, body: Profile) =>
    change(async () => {
      await transfers.putProfile({ params: { name }, body: { ...body, name } })
      notifyDone(t('profileStored', { name }))
    })
  const upload = (file: File) =>
    change(async () => {
      const body = decode(formats.json, TransferProfile, new Uint8Array(await file.arrayBuffer())) as Profile
      const name = body.name ?? file.name.replace(/\.json$/i, '')
      const { profiles = [] } = await transfers.listProfiles()
      if (!profiles.some((one) => one.name === name)) return void (await store(name, body))
      confirmDanger({
        title: t('replaceProfile', { name }),
        body: t('replaceProfileBody'),
        confirm: t('replace'),
        cancel: w('cancel'),
        onConfirm: () => void store(name, body),
      })
    })
  return (
    <FileButton onChange={(file) => file && void upload(file)} accept=".json">
      {(props) => (
        <ActionIcon
          {...props}
          variant="default"
          size="input-sm"
          aria-label={t('uploadProfile')}
          title={t('uploadProfile')}
        >
          <IconUpload size={16} />
        </ActionIcon>
      )}
    </FileButton>
  )
}
