/** A dialog to choose files: folders on the left, the files of the chosen one on the right. */
import { Button, Group, Modal, ScrollArea, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { IconFolder, IconPhoto } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { defineTexts, useTexts } from '../ui/language.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { useOpenKeys } from '../ui/tree/open-keys.ts'
import { Tree, type TreeItem } from '../ui/tree/tree.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { useClient } from './client.tsx'
import { fact } from './items.ts'
import { Thumbnail, usePictures } from './pictures.tsx'
import classes from './asset-picker.module.css'

export const texts = defineTexts('assetPicker', {
  title: 'Choose files',
  folders: 'Folders',
  none: 'No files in this folder',
  use: { zero: 'Select files', one: 'Use one file', other: 'Use {count} files' },
  first: 'Only the first {count} files are listed',
})

/** The number of files that are listed. */
const most = 200

export function AssetPicker({ onClose, onChoose }: { onClose: () => void; onChoose: (tids: string[]) => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [folder, setFolder] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (tid: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(tid)) next.add(tid)
      return next
    })
  return (
    <Modal opened onClose={onClose} title={t('title')} size="xl" closeButtonProps={{ 'aria-label': word('close') }}>
      <div className={classes.picker}>
        <nav className={classes.folders} aria-label={t('folders')}>
          <Folders chosen={folder} onChoose={setFolder} />
        </nav>
        <ScrollArea h={420} flex={1}>
          {folder && <Files folder={folder} chosen={chosen} onToggle={toggle} />}
        </ScrollArea>
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button
          disabled={chosen.size === 0}
          onClick={() => {
            onChoose([...chosen])
            onClose()
          }}
        >
          {t('use', { count: chosen.size })}
        </Button>
      </Group>
    </Modal>
  )
}

/** Folders by path; the first part of a path is the storage. Children are loaded when a folder is opened. */
function Folders({ chosen, onChoose }: { chosen: string | undefined; onChoose: (path: string) => void }) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const [open, toggle] = useOpenKeys()
  const storages = useQuery({
    queryKey: ['dirs', 'storages'],
    queryFn: async () => (await dam.retrieveRncs()).rncs?.rnc ?? [],
    staleTime: 60_000,
  })
  const below = useQueries({
    queries: [...open].map((path) => ({
      queryKey: ['dirs', 'below', path],
      queryFn: async () => {
        const isStorage = path.lastIndexOf('/') === 0
        const request = isStorage ? { rncTid: path.slice(1), level: 1 } : { dirPath: path, level: 1 }
        const dirs = await dam.dirs.retrieve(request)
        return dirs.map((dir) => toItem(fact(dir, 'path') ?? `${path}/${dir.name}`, dir.name ?? ''))
      },
    })),
  })
  if (!storages.data) return <Loading />
  const byPath = new Map([...open].map((path, i) => [path, below[i]]))
  return (
    <Tree
      label={t('folders')}
      roots={storages.data.map(({ tid = '', name = tid }) => toItem(`/${tid}`, name))}
      childrenOf={(path) => {
        const query = byPath.get(path)
        return query?.data ?? (query?.error ? [] : undefined)
      }}
      open={open}
      onToggle={toggle}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

const toItem = (key: string, label: string): TreeItem => ({
  key,
  label,
  icon: <IconFolder size={16} stroke={1.5} aria-hidden />,
  hasChildren: true,
})

interface FilesProps {
  readonly folder: string
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (tid: string) => void
}

function Files({ folder, chosen, onToggle }: FilesProps) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const found = useQuery({
    queryKey: ['assets', 'in', folder],
    queryFn: async () => {
      const { tids = [] } = await dam.assets.query({ directory: { path: folder } })
      return tids
    },
  })
  const listed = found.data?.slice(0, most) ?? []
  const pictures = usePictures([listed])
  if (found.isPending) return <Loading />
  if (listed.length === 0) return <Empty icon={IconPhoto} title={t('none')} />
  return (
    <>
      <SimpleGrid cols={4} spacing="xs" p={4}>
        {listed.map((tid) => (
          <UnstyledButton
            key={tid}
            className={classes.file}
            aria-pressed={chosen.has(tid)}
            onClick={() => onToggle(tid)}
          >
            <Thumbnail picture={pictures.get(tid)} size={110} />
            <Text size="xs" truncate maw={110}>
              {pictures.get(tid)?.name ?? tid}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {(found.data?.length ?? 0) > most && (
        <Text size="xs" c="dimmed" ta="center">
          {t('first', { count: most })}
        </Text>
      )}
    </>
  )
}
