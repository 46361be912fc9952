/** Assets: directories and keywords at the side, a wall of thumbnails, uploads by dropping, and what can be done with a selection. */
import { Button, FileButton, Group, SegmentedControl, Select, Text, TextInput, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolderOpen, IconPhoto, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useEffect, useMemo, useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { type Order, orders, kindsOfFile, useAssets, type Whereabouts } from './assets.ts'
import { Directories, useStorages } from './directories.tsx'
import { KeywordTree } from './keyword-tree.tsx'
import { Lightbox } from './lightbox.tsx'
import { SelectionBar, useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'
import { UploadPanel } from './uploads/upload-panel.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { assetDrag, Wall } from './wall.tsx'
import classes from './assets-page.module.css'

export function AssetsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ dir, keyword, kinds = '', q = '', order = 'added', at, open = '', side = 'directories' }, change] =
    useUrlState()
  const storages = useStorages()
  const first = storages.data?.[0]?.path
  const where = useMemo(
    (): Whereabouts | undefined =>
      keyword
        ? { kind: 'keyword', path: keyword }
        : dir || first
          ? { kind: 'directory', path: dir ?? first! }
          : undefined,
    [dir, keyword, first],
  )
  const fileTypes = useMemo(() => kinds.split(',').filter(Boolean), [kinds])
  const [text] = useDebouncedValue(q, 200)
  const assets = useAssets({ where, fileTypes, text, order: order in orders ? (order as Order) : 'added' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => setChosen(new Set()), [where])
  const { queue, uploads } = useUploads()
  const act = useAssetActions()
  const target = where?.kind === 'directory' && may('create', 'asset') ? `${where.path}/` : undefined
  useEffect(() => {
    void queue.takeUp().then((count) => count > 0 && notifyDone(t('resumed', { count })))
  }, [queue, t])

  const openFolders = useMemo(() => new Set(open.split('|').filter(Boolean)), [open])
  const toggle = (path: string, isOpen: boolean) => {
    const others = [...openFolders].filter((one) => one !== path)
    change({ open: [...others, ...(isOpen ? [path] : [])].join('|') })
  }
  const onDropOther = (event: DragEvent, path: string) => {
    const tids = event.dataTransfer.getData(assetDrag)
    if (tids) void act.move(tids.split('\n'), path).then(() => setChosen(new Set()))
    else void filesOf(event).then((files) => queue.add(files, `${path}/`))
  }
  return (
    <Page
      fill
      title={t('title')}
      subtitle={where?.path}
      actions={
        <>
          <Button component={Link} to="/assets/trash" variant="subtle" leftSection={<IconTrash size={16} />}>
            {t('trash')}
          </Button>
          {target && (
            <FileButton multiple onChange={(files) => queue.add(files, target)}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} />}>
                  {t('chooseFiles')}
                </Button>
              )}
            </FileButton>
          )}
        </>
      }
    >
      <Panes
        sideLabel={t('directories')}
        side={
          <>
            <SegmentedControl
              m="xs"
              size="xs"
              value={side}
              onChange={(value) => change({ side: value, keyword: '', dir: '' })}
              data={[
                { value: 'directories', label: t('directories') },
                { value: 'keywords', label: t('keywords') },
              ]}
            />
            {side === 'keywords' ? (
              <KeywordTree chosen={keyword} onChoose={(path) => change({ keyword: path, dir: '', at: '' }, true)} />
            ) : (
              <Directories
                chosen={where?.path}
                onChoose={(path) => change({ dir: path, keyword: '', at: '' }, true)}
                open={openFolders}
                onToggle={toggle}
                onDropOther={onDropOther}
              />
            )}
          </>
        }
      >
        <DropZone target={target} onFiles={(files) => queue.add(files, target!)}>
          <Group className={classes.tools} gap="xs">
            <TextInput
              aria-label={t('filter')}
              placeholder={t('filter')}
              leftSection={<IconSearch size={16} />}
              value={q}
              onChange={(event) => change({ q: event.currentTarget.value })}
              w={220}
            />
            <MultiSelect
              aria-label={t('kinds')}
              placeholder={fileTypes.length === 0 ? t('kinds') : undefined}
              data={[...kindsOfFile]}
              value={fileTypes}
              onChange={(value) => change({ kinds: value.join(',') })}
              clearable
              miw={170}
            />
            <Select
              aria-label={t('sort')}
              data={[
                { value: 'added', label: t('sortAdded') },
                { value: 'name', label: t('sortName') },
                { value: 'newest', label: t('sortNewest') },
                { value: 'largest', label: t('sortLargest') },
              ]}
              value={order}
              onChange={(value) => change({ order: value === 'added' ? '' : (value ?? '') })}
              allowDeselect={false}
              w={160}
            />
            <Text size="sm" c="dimmed" ml="auto" role="status">
              {t('found', { count: assets.total })}
            </Text>
          </Group>
          {assets.error ? (
            <Failure error={assets.error} onRetry={assets.refetch} />
          ) : !where ? (
            <Empty icon={IconFolderOpen} title={t('chooseDirectory')} />
          ) : assets.loading ? (
            <Loading />
          ) : assets.total === 0 ? (
            <Empty icon={IconPhoto} title={t(q || kinds ? 'nothingFound' : 'emptyTitle')}>
              {target && t('emptyBody')}
            </Empty>
          ) : (
            <Wall
              {...assets}
              chosen={chosen}
              onChoose={setChosen}
              onOpen={(index) => change({ at: String(index) }, true)}
            />
          )}
          {chosen.size > 0 && <SelectionBar tids={[...chosen]} onClear={() => setChosen(new Set())} act={act} />}
        </DropZone>
      </Panes>
      <UploadPanel queue={queue} uploads={uploads} />
      {at !== undefined && (
        <Lightbox
          index={Number(at)}
          assets={assets}
          onGo={(index) => change({ at: index === undefined ? '' : String(index) })}
        />
      )}
    </Page>
  )
}

/** Files dropped anywhere on the list go into its directory. */
function DropZone(props: { target: string | undefined; onFiles: (files: File[]) => void; children: React.ReactNode }) {
  const { target, onFiles, children } = props
  const t = useTexts(texts)
  const [over, setOver] = useState(false)
  const isForUs = (event: DragEvent) => target !== undefined && event.dataTransfer.types.includes('Files')
  return (
    <div
      className={classes.zone}
      onDragOver={(event) => {
        if (!isForUs(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!isForUs(event)) return
        event.preventDefault()
        void filesOf(event).then(onFiles)
      }}
    >
      {children}
      {over && (
        <div className={classes.over}>
          <IconUpload size={40} stroke={1.4} />
          <Text fw={600}>{t('dropHere', { path: target ?? '' })}</Text>
        </div>
      )}
    </div>
  )
}

/** Dropped files; of dropped folders, all that is in them. */
async function filesOf(event: DragEvent): Promise<File[]> {
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return (await Promise.all(entries.map(filesIn))).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return files
    files.push(...(await Promise.all(some.map(filesIn))).flat())
  }
}
