/**
 * The folders of all storages as a tree: browse, create, rename, move by dragging, delete. Assets can be dropped on a
 * folder.
 */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDatabase, IconDots, IconFolder } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type DragEvent, useMemo } from 'react'
import { useClient, useMay, useMayAt } from '../../object/client.tsx'
import { fact, toItems } from '../../object/items.ts'
import { accepted } from '../../object/records.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useRefresh } from './assets.ts'
import { askName } from '../../ui/ask-name.tsx'
import { texts } from './texts.ts'

/** A storage or a folder, identified by its path. The path of a storage has one segment. */
export interface Folder {
  readonly path: string
  readonly name: string
  readonly tid: string
  readonly isStorage: boolean
}
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

interface DirectoriesProps {
  readonly chosen: string | undefined
  readonly onChoose: (path: string) => void
  readonly open: ReadonlySet<string>
  readonly onToggle: (path: string, open: boolean) => void
  readonly onDropOther: (event: DragEvent, path: string) => void
}

export function Directories({ chosen, onChoose, open, onToggle, onDropOther }: DirectoriesProps) {
  const t = useTexts(texts)
  const may = useMay()
  const storages = useStorages()
  const opened = useChildren(open)
  const act = useFolderActions(onChoose)
  const items = new Map([...(storages.data ?? []), ...[...opened.values()].flat()].map((one) => [one.path, one]))
  return (
    <Loaded query={storages}>
      {(roots) => (
        <Tree
          label={t('directories')}
          roots={roots.map(toItem)}
          childrenOf={(path) => opened.get(path)?.map(toItem)}
          open={open}
          onToggle={onToggle}
          chosen={chosen}
          onChoose={onChoose}
          onMove={may('update', 'dir') ? (from, to) => void act.move(from, to) : undefined}
          onDropOther={onDropOther}
          menu={({ key }) => {
            const folder = items.get(key)
            return folder && <FolderMenu folder={folder} act={act} />
          }}
        />
      )}
    </Loaded>
  )
}

const toItem = ({ path, name, isStorage }: Folder): TreeItem => ({
  key: path,
  label: name,
  icon: isStorage ? <IconDatabase size={17} stroke={1.6} /> : <IconFolder size={17} stroke={1.6} />,
  hasChildren: true,
})

export function useStorages() {
  const { dam } = useClient()
  return useQuery({
    queryKey: ['assets', 'storages'],
    queryFn: async (): Promise<Folder[]> =>
      ((await dam.retrieveRncs()).rncs?.rnc ?? []).map(({ tid = '', name }) => ({
        path: `/${name ?? tid}`,
        name: name ?? tid,
        tid,
        isStorage: true,
      })),
  })
}

/** The children of each expanded folder. */
export function useChildren(open: ReadonlySet<string>): ReadonlyMap<string, readonly Folder[]> {
  const { dam } = useClient()
  const paths = useMemo(() => [...open].toSorted(), [open])
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ['assets', 'below', path],
      queryFn: async (): Promise<Folder[]> => {
        const isStorage = parentOf(path) === ''
        const request = isStorage ? { rncTid: path.slice(1) } : { dirPath: path }
        const dirs = await dam.dirs.retrieve({ ...request, level: 1 })
        return dirs
          .map((dir) => ({
            path: fact(dir, 'path') ?? `${path}/${dir.name}`,
            name: dir.name ?? '',
            tid: dir.tid ?? '',
            isStorage: false,
          }))
          .filter((dir) => parentOf(dir.path) === path)
          .toSorted((a, b) => a.name.localeCompare(b.name))
      },
    })),
    combine: (results) => new Map(results.flatMap(({ data }, i) => (data ? [[paths[i]!, data] as const] : []))),
  })
}

interface FolderActions {
  create(below: Folder): void
  rename(folder: Folder): void
  remove(folder: Folder): void
  move(from: string, to: string): Promise<void>
}

function useFolderActions(onChoose: (path: string) => void): FolderActions {
  const { dam } = useClient()
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const refresh = useRefresh()
  const question = (title: string, confirm: string) => ({
    title,
    confirm,
    label: t('directoryName'),
    cancel: w('cancel'),
  })
  const attempt = async (work: Promise<unknown>, done: string) => {
    try {
      await work
      notifyDone(done)
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    refresh()
  }
  return {
    create: (below) =>
      askName(question(t('newDirectory'), w('create')), (name) => {
        const parent = below.isStorage ? { rnc: below.tid } : { parent: below.tid }
        void attempt(accepted(dam.dirs.persist([{ name, ...parent }])), `${below.path}/${name}`).then(() =>
          onChoose(`${below.path}/${name}`),
        )
      }),
    rename: ({ tid, name: before, path }) =>
      askName({ ...question(t('renameDirectory'), w('rename')), before }, (name) => {
        void attempt(accepted(dam.dirs.persist([{ tid, name }])), w('saved')).then(() =>
          onChoose(`${parentOf(path)}/${name}`),
        )
      }),
    remove: ({ path, name }) =>
      confirmDanger({
        title: t('deleteDirectory', { name }),
        body: t('deleteDirectoryBody'),
        confirm: w('delete'),
        cancel: w('cancel'),
        onConfirm: () => {
          void attempt(accepted(dam.dirs.perform([{ type: 'delete', path }])), t('directoryDeleted', { name }))
          onChoose(parentOf(path))
        },
      }),
    move: (path, to) => {
      const isStorage = parentOf(to) === ''
      const itm = toItems(isStorage ? { destinationRncTid: to.slice(1) } : { destinationDirPath: to })
      return attempt(accepted(dam.dirs.perform([{ type: 'move', path, meta: { itm } }])), t('moved', { path: to }))
    },
  }
}

/** Actions that the user may do to the folder; nothing if there are none. */
function FolderMenu({ folder, act }: { folder: Folder; act: FolderActions }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const may = useMayAt('dir', 'dir', folder.isStorage ? `/${folder.tid}` : folder.path)
  const [mayRename, mayRemove] = ['update', 'delete'].map((action) => !folder.isStorage && may(action))
  if (!may('create') && !mayRename && !mayRemove) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`${w('actions')}: ${folder.name}`}
          tabIndex={-1}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may('create') && <Menu.Item onClick={() => act.create(folder)}>{t('newDirectory')}</Menu.Item>}
        {mayRename && <Menu.Item onClick={() => act.rename(folder)}>{w('rename')}</Menu.Item>}
        {mayRemove && (
          <Menu.Item color="red" onClick={() => act.remove(folder)}>
            {w('delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
