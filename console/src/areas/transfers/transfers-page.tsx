/** The import and export page: the transfers on the left, the selected one on the right. */
import { Button, FileButton, NavLink, Progress, Select, Text } from '@mantine/core'
import { IconFileExport, IconFileImport, IconTransfer } from '@tabler/icons-react'
import { transferEncodings } from '@kontor/contract'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Detail } from './detail.tsx'
import { DownloadProfile, UploadProfile } from '../../object/profile-file.tsx'
import { DropFile } from './drop-file.tsx'
import { ExportForm } from './export-form.tsx'
import { ProfileVersions } from './profile-versions.tsx'
import { texts } from './texts.ts'
import { isRunning, type Transfer, useProfiles, useTransferChange, useTransfers } from './use-transfers.ts'

/** The names that the server reads, each by its format. */
const accepted = '.csv,.tsv,.txt,.xlsx,.xlsm,.xml,.xlf,.xliff,.jsonl,.jsonlines,.ndjson,.json,.zip'

export function TransfersPage() {
  const t = useTexts(texts)
  const may = useMay()
  const { transfers } = useClient()
  const change = useTransferChange()
  const [{ transfer: chosen }, go] = useUrlState()
  const [isExporting, setExporting] = useState(false)
  const list = useTransfers()
  const open = (id: string | undefined) => go({ transfer: id }, true)
  const profiles = useProfiles().data ?? []
  const [profile, setProfile] = useState<string | null>(null)
  const [encoding, setEncoding] = useState<string | null>(null)
  const send = (file: File | null) =>
    file &&
    change(async () => {
      // Only tables in text files have a choice of encodings.
      const isText = /\.(csv|tsv|txt|zip)$/i.test(file.name)
      const options = { ...(profile !== null && { profile }), ...(encoding !== null && isText && { encoding }) }
      open((await transfers.send(file, options)).id)
    })
  const selected = list.data?.find(({ id }) => id === chosen)
  const actions = (
    <>
      <Button variant="default" leftSection={<IconFileExport size={16} />} onClick={() => setExporting(true)}>
        {t('export')}
      </Button>
      {profiles.length > 0 && may('update', 'product') && (
        <Select
          aria-label={t('profile')}
          placeholder={t('byHeadings')}
          data={profiles}
          value={profile}
          onChange={setProfile}
          clearable
        />
      )}
      {profile !== null && <ProfileVersions key={profile} name={profile} />}
      {profile !== null && <DownloadProfile name={profile} />}
      {may('update', 'product') && <UploadProfile />}
      {may('update', 'product') && (
        <Select
          aria-label={t('encoding')}
          placeholder={t('detected')}
          data={[...transferEncodings]}
          value={encoding}
          onChange={setEncoding}
          clearable
        />
      )}
      {may('update', 'product') && (
        <FileButton onChange={(file) => void send(file)} accept={accepted}>
          {(props) => (
            <Button {...props} leftSection={<IconFileImport size={16} />}>
              {t('import')}
            </Button>
          )}
        </FileButton>
      )}
    </>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      <DropFile isActive={may('update', 'product')} onFile={(file) => void send(file)}>
        <Panes
          sideLabel={t('list')}
          side={
            <Loaded query={list}>
              {(all) =>
                all.map((one) => (
                  <TransferEntry key={one.id} transfer={one} isChosen={one === selected} onOpen={open} />
                ))
              }
            </Loaded>
          }
        >
          {selected ? (
            <Detail key={selected.id} transfer={selected} onOpen={open} />
          ) : (
            <Empty icon={IconTransfer} title={list.data?.length === 0 ? t('none') : t('choose')}>
              {list.data?.length === 0 && t('noneBody')}
            </Empty>
          )}
        </Panes>
      </DropFile>
      {isExporting && <ExportForm onClose={() => setExporting(false)} onStarted={open} />}
    </Page>
  )
}

interface TransferEntryProps {
  readonly transfer: Transfer
  readonly isChosen: boolean
  readonly onOpen: (id: string | undefined) => void
}

function TransferEntry({ transfer, isChosen, onOpen }: TransferEntryProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const { id, name = '', direction, state = 'received', share = 0, createdAt } = transfer
  const Symbol = direction === 'export' ? IconFileExport : IconFileImport
  return (
    <NavLink
      component="button"
      active={isChosen}
      aria-current={isChosen ? 'page' : undefined}
      leftSection={<Symbol size={18} aria-label={t(direction === 'export' ? 'out' : 'in')} />}
      label={name}
      description={
        <>
          <Text span size="xs">
            {t(state)} · {createdAt && format.ago(createdAt)}
          </Text>
          {isRunning(transfer) && <Progress component="span" size="sm" value={share * 100} aria-label={name} mt={4} />}
        </>
      }
      onClick={() => onOpen(id)}
    />
  )
}
