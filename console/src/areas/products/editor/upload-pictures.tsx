/** Uploads files into a folder and returns their assets, which are then linked. The folder of the first picture is offered. */
import { Alert, Button, Group, List, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { PickOne } from '../../../object/picker.tsx'
import { failureText } from '../../../ui/failure-text.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { texts } from './texts.ts'

interface UploadPicturesProps {
  readonly files: readonly File[]
  /** An asset in whose folder the files probably belong. */
  readonly near: string | undefined
  readonly onDone: (tids: readonly string[]) => void
  readonly onClose: () => void
}

const lastFolder = 'kontor.upload-folder'

/** The folder of the first picture, else the last one that was used, else the first storage. */
function useFolder(near: string | undefined): string | undefined {
  const { dam } = useClient()
  const { data } = useQuery({
    queryKey: ['dirs', 'for upload', near],
    queryFn: async () => {
      if (near !== undefined) {
        const [asset] = await dam.assets.retrieve({ tids: [near] })
        if (asset?.path) return asset.path.slice(0, asset.path.lastIndexOf('/'))
      }
      const stored = localStorage.getItem(lastFolder)
      if (stored) return stored
      const [first] = (await dam.retrieveRncs()).rncs?.rnc ?? []
      return first?.tid ? `/${first.tid}` : ''
    },
  })
  return data
}

export function UploadPictures({ files, near, onDone, onClose }: UploadPicturesProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { uploads } = useClient()
  const proposed = useFolder(near)
  const [chosen, setChosen] = useState<string>()
  const [done, setDone] = useState<number>()
  const [faults, setFaults] = useState<readonly string[]>([])
  const folder = chosen ?? proposed
  const send = async () => {
    const tids: string[] = []
    const refused: string[] = []
    setDone(0)
    for (const [i, file] of files.entries()) {
      try {
        const { tid } = await uploads.asset(file, { path: `${folder}/` })
        if (tid) tids.push(tid)
      } catch (error) {
        refused.push(`${file.name}: ${failureText(error)}`)
      }
      setDone(i + 1)
    }
    if (tids.length > 0) {
      localStorage.setItem(lastFolder, folder!)
      onDone(tids)
    }
    setDone(undefined)
    if (refused.length === 0) onClose()
    else setFaults(refused)
  }
  return (
    <FormModal title={t('uploadTitle', { count: files.length })} onSubmit={send} onClose={onClose}>
      <List size="sm">
        {files.slice(0, 10).map(({ name }) => (
          <List.Item key={name}>{name}</List.Item>
        ))}
      </List>
      <PickOne kind="folder" label={t('folder')} value={folder} onChange={setChosen} required />
      {faults.length > 0 && (
        <Alert color="red" title={word('failed')}>
          {faults.map((fault) => (
            <Text key={fault} size="sm">
              {fault}
            </Text>
          ))}
        </Alert>
      )}
      {done !== undefined && <Progress value={(100 * done) / files.length} aria-label={t('upload')} animated />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" loading={done !== undefined} disabled={!folder || faults.length > 0}>
          {t('upload')}
        </Button>
      </Group>
    </FormModal>
  )
}
