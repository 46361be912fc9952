/**
 * The assets page: all files, newest first, or those of a folder or keyword, as a wall or a list; a timeline, filters,
 * uploads by dropping, actions on a selection.
 */
import { Button, FileButton, NavLink, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCopy, IconPhoto, IconStack2, IconTrash, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AssetList } from './asset-list.tsx'
import { type Order, orders, useAssets } from './assets.ts'
import { ChangeListed } from './bulk-menu.tsx'
import { Directories, useStorages } from './directories.tsx'
import { DropZone, droppedFiles } from './drop-zone.tsx'
import { FilterBar } from './filter-bar.tsx'
import { countOf, filtersOf } from './filters.ts'
import { FolderTiles } from './folder-tiles.tsx'
import { KeywordTree } from './keyword-tree.tsx'
import { Lightbox } from './lightbox.tsx'
import { SelectionBar, useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'
import { Timeline } from './timeline.tsx'
import { UploadPanel } from './uploads/upload-panel.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { useView } from './view.ts'
import { assetDrag, Wall } from './wall.tsx'
import classes from './assets-page.module.css'

export function AssetsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ at }, change] = useUrlState()
  const selection = useSelection()
  const { dir, keyword, filters, text } = selection
  const assets = useAssets(selection)
  const [view, setView] = useView()
  const [jump, setJump] = useState({ index: 0 })
  const [middle, setMiddle] = useState(0)
  const { onVisibleRows } = assets
  const onVisible = useCallback(
    (first: number, last: number) => {
      onVisibleRows(first, last)
      setMiddle(Math.floor((first + last) / 2))
    },
    [onVisibleRows],
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const tids = useMemo(() => [...chosen], [chosen])
  const clear = () => setChosen(new Set())
  useEffect(clear, [dir, keyword])
  const storage = useStorages().data?.[0]?.path
  const { queue, uploads } = useUploads()
  const act = useAssetActions()
  const folder = dir ?? storage
  const target = folder !== undefined && may('create', 'asset') ? `${folder}/` : undefined
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
    if (assets.loading) return <Loading />
    if (assets.total === 0)
      return (
        <Empty icon={IconPhoto} title={t(text || countOf(filters) > 0 ? 'nothingFound' : 'emptyTitle')}>
          {target && t('emptyBody')}
        </Empty>
      )
    const open = (index: number) => change({ at: String(index) }, true)
    const shared = { ...assets, onVisibleRows: onVisible, chosen, onChoose: setChosen, onOpen: open, jump }
    return (
      <div className={classes.files}>
        {view.kind === 'list' ? <AssetList {...shared} /> : <Wall {...shared} size={view.size} />}
        <Timeline months={assets.months} at={middle} onJump={(index) => setJump({ index })} />
      </div>
    )
  }
  return (
    <Page
      fill
      title={t('title')}
      subtitle={dir ?? keyword ?? t('allFiles')}
      actions={
        <>
          <ChangeListed selection={selection} total={assets.total} />
          <Actions target={target} onFiles={(files) => queue.add(files, target!)} />
        </>
      }
    >
      <Panes sideLabel={t('directories')} side={<Side onDropOther={onDropOther} />}>
        <DropZone target={target} onFiles={(files) => queue.add(files, target!)}>
          <FilterBar selection={selection} total={assets.total} view={view} onView={setView} />
          {dir !== undefined && <FolderTiles path={dir} onChoose={(path) => change({ dir: path, at: '' }, true)} />}
          {content()}
          {chosen.size > 0 && <SelectionBar tids={tids} onClear={clear} act={act} />}
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

/** The files that the URL selects; without a folder or keyword, all of them. */
function useSelection() {
  const [state] = useUrlState()
  const { dir, keyword, q = '', order = 'newest' } = state
  const [text] = useDebouncedValue(q, 200)
  const written = JSON.stringify(filtersOf(state))
  return useMemo(() => {
    const filters = JSON.parse(written) as ReturnType<typeof filtersOf>
    return { dir, keyword, filters, text, order: Object.hasOwn(orders, order) ? (order as Order) : 'newest' }
  }, [dir, keyword, written, text, order])
}

function Actions({ target, onFiles }: { target: string | undefined; onFiles: (files: File[]) => void }) {
  const t = useTexts(texts)
  return (
    <>
      <Button
        renderRoot={(props) => <Link to="/assets/near-duplicates" {...props} />}
        variant="subtle"
        leftSection={<IconCopy size={16} />}
      >
        {t('nearDuplicates')}
      </Button>
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
  readonly onDropOther: (event: DragEvent, path: string) => void
}

/** The tree of folders, or of keywords. */
function Side({ onDropOther }: SideProps) {
  const t = useTexts(texts)
  const [{ dir, keyword, open = '', side = 'directories' }, change] = useUrlState()
  const openFolders = useMemo(() => new Set(open.split('|').filter(Boolean)), [open])
  const toggle = (path: string, isOpen: boolean) => {
    const others = [...openFolders].filter((one) => one !== path)
    change({ open: [...others, ...(isOpen ? [path] : [])].join('|') })
  }
  return (
    <>
      <NavLink
        component="button"
        label={t('allFiles')}
        leftSection={<IconStack2 size={17} stroke={1.6} />}
        active={!dir && !keyword}
        aria-current={!dir && !keyword ? 'page' : undefined}
        onClick={() => change({ dir: '', keyword: '', at: '' }, true)}
      />
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
          chosen={dir}
          onChoose={(path) => change({ dir: path, keyword: '', at: '' }, true)}
          open={openFolders}
          onToggle={toggle}
          onDropOther={onDropOther}
        />
      )}
    </>
  )
}
