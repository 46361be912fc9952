/**
 * The assets page: folders and keywords on the left, a wall of thumbnails, uploads by dropping, actions on a selection.
 */
import { Button, FileButton, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolderOpen, IconPhoto, IconTrash, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useEffect, useMemo, useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { type Order, orders, type Source, useAssets } from './assets.ts'
import { Directories, useStorages } from './directories.tsx'
import { DropZone, droppedFiles } from './drop-zone.tsx'
import { FilterBar } from './filter-bar.tsx'
import { KeywordTree } from './keyword-tree.tsx'
import { Lightbox } from './lightbox.tsx'
import { SelectionBar, useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'
import { UploadPanel } from './uploads/upload-panel.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { assetDrag, Wall } from './wall.tsx'

export function AssetsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ kinds = '', q = '', order = 'added', at }, change] = useUrlState()
  const source = useSource()
  const fileTypes = useMemo(() => kinds.split(',').filter(Boolean), [kinds])
  const [text] = useDebouncedValue(q, 200)
  const assets = useAssets({ where: source, fileTypes, text, order: order in orders ? (order as Order) : 'added' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const clear = () => setChosen(new Set())
  useEffect(clear, [source])
  const { queue, uploads } = useUploads()
  const act = useAssetActions()
  const target = source?.kind === 'directory' && may('create', 'asset') ? `${source.path}/` : undefined
  useEffect(() => {
    void queue.resumeStored().then((count) => count > 0 && notifyDone(t('resumed', { count })))
  }, [queue, t])
  const onDropOther = (event: DragEvent, path: string) => {
    const tids = event.dataTransfer.getData(assetDrag)
    if (tids) void act.move(tids.split('\n'), path).then(clear)
    else void droppedFiles(event).then((files) => queue.add(files, `${path}/`))
  }
  const content = () => {
    if (assets.error) return <Failure error={assets.error} onRetry={assets.refetch} />
    if (!source) return <Empty icon={IconFolderOpen} title={t('chooseDirectory')} />
    if (assets.loading) return <Loading />
    if (assets.total === 0)
      return (
        <Empty icon={IconPhoto} title={t(q || kinds ? 'nothingFound' : 'emptyTitle')}>
          {target && t('emptyBody')}
        </Empty>
      )
    const open = (index: number) => change({ at: String(index) }, true)
    return <Wall {...assets} chosen={chosen} onChoose={setChosen} onOpen={open} />
  }
  return (
    <Page
      fill
      title={t('title')}
      subtitle={source?.path}
      actions={<Actions target={target} onFiles={(files) => queue.add(files, target!)} />}
    >
      <Panes sideLabel={t('directories')} side={<Side source={source} onDropOther={onDropOther} />}>
        <DropZone target={target} onFiles={(files) => queue.add(files, target!)}>
          <FilterBar q={q} fileTypes={fileTypes} order={order} total={assets.total} change={change} />
          {content()}
          {chosen.size > 0 && <SelectionBar tids={[...chosen]} onClear={clear} act={act} />}
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

/** The chosen keyword or folder; without a choice, the first storage. */
function useSource(): Source | undefined {
  const [{ dir, keyword }] = useUrlState()
  const first = useStorages().data?.[0]?.path
  return useMemo(() => {
    if (keyword) return { kind: 'keyword', path: keyword }
    const path = dir ?? first
    return path ? { kind: 'directory', path } : undefined
  }, [dir, keyword, first])
}

function Actions({ target, onFiles }: { target: string | undefined; onFiles: (files: File[]) => void }) {
  const t = useTexts(texts)
  return (
    <>
      <Button
        renderRoot={(props) => <Link to="/assets/trash" {...props} />}
        variant="subtle"
        leftSection={<IconTrash size={16} />}
      >
        {t('trash')}
      </Button>
      {target && (
        <FileButton multiple onChange={onFiles}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} />}>
              {t('chooseFiles')}
            </Button>
          )}
        </FileButton>
      )}
    </>
  )
}

interface SideProps {
  readonly source: Source | undefined
  readonly onDropOther: (event: DragEvent, path: string) => void
}

/** The tree of folders, or of keywords. */
function Side({ source, onDropOther }: SideProps) {
  const t = useTexts(texts)
  const [{ keyword, open = '', side = 'directories' }, change] = useUrlState()
  const openFolders = useMemo(() => new Set(open.split('|').filter(Boolean)), [open])
  const toggle = (path: string, isOpen: boolean) => {
    const others = [...openFolders].filter((one) => one !== path)
    change({ open: [...others, ...(isOpen ? [path] : [])].join('|') })
  }
  return (
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
          chosen={source?.path}
          onChoose={(path) => change({ dir: path, keyword: '', at: '' }, true)}
          open={openFolders}
          onToggle={toggle}
          onDropOther={onDropOther}
        />
      )}
    </>
  )
}
