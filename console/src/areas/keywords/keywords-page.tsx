/** Keywords: on the left the tree, in which keywords are moved by dragging; on the right the names of the chosen one. */
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlus, IconTag } from '@tabler/icons-react'
import { useMay } from '../../object/client.tsx'
import { nameIn } from '../../object/items.ts'
import {
  ancestorsOf,
  type KeywordBranches,
  type KeywordMessage,
  parentOf,
  useKeywordBranches,
} from '../../object/keyword-branches.ts'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { type ToggleKey, useOpenKeys } from '../../ui/tree/open-keys.ts'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { KeywordForm } from './keyword-form.tsx'
import { texts } from './texts.ts'
import { type KeywordActions, useKeywordActions } from './keyword-actions.ts'

export function KeywordsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ keyword: chosen }, change] = useUrlState()
  const [open, toggle] = useOpenKeys(() => (chosen === undefined ? [] : ancestorsOf(chosen)))
  const { branches, query, isLoading } = useKeywordBranches([...open, ...(chosen ? [parentOf(chosen)] : [])])
  const act = useKeywordActions((path) => change({ keyword: path }, true))
  const create = may('create', 'keyword') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => act.create('')}>
      {t('newKeyword')}
    </Button>
  )
  const keyword = chosen === undefined ? undefined : branches.byPath.get(chosen)
  const detail = () => {
    if (keyword) return <KeywordForm key={keyword.path} keyword={keyword} act={act} />
    return chosen !== undefined && isLoading ? <Loading /> : <Empty icon={IconTag} title={t('choose')} />
  }
  return (
    <Page title={t('title')} actions={create} fill>
      <Loaded query={query}>
        {({ byPath }) =>
          byPath.size === 0 ? (
            <Empty icon={IconTag} title={t('none')}>
              {t('noneBody')}
            </Empty>
          ) : (
            <Panes
              sideLabel={t('tree')}
              side={
                <KeywordTree
                  branches={branches}
                  open={open}
                  onToggle={toggle}
                  chosen={chosen}
                  onChoose={(path) => change({ keyword: path }, true)}
                  act={act}
                />
              }
            >
              {detail()}
            </Panes>
          )
        }
      </Loaded>
    </Page>
  )
}

interface KeywordTreeProps {
  readonly branches: KeywordBranches
  readonly open: ReadonlySet<string>
  readonly onToggle: ToggleKey
  readonly chosen: string | undefined
  readonly onChoose: (path: string) => void
  readonly act: KeywordActions
}

function KeywordTree({ branches, open, onToggle, chosen, onChoose, act }: KeywordTreeProps) {
  const t = useTexts(texts)
  const may = useMay()
  const [locale] = useContentLocale()
  const toItem = ({ path = '', name }: KeywordMessage): TreeItem => ({
    key: path,
    label: nameIn(name, locale) || path,
    icon: <IconTag size={16} stroke={1.6} aria-hidden />,
    hasChildren: branches.childrenOf(path)?.length !== 0,
  })
  const openThen = (path: string, run: () => void) => {
    onToggle(path, true)
    run()
  }
  const menuActions = { ...act, create: (path: string) => openThen(path, () => act.create(path)) }
  return (
    <Tree
      label={t('tree')}
      roots={(branches.childrenOf('') ?? []).map(toItem)}
      childrenOf={(path) => branches.childrenOf(path)?.map(toItem)}
      open={open}
      onToggle={onToggle}
      chosen={chosen}
      onChoose={onChoose}
      onMove={may('update', 'keyword') ? (path, target) => openThen(target, () => act.move(path, target)) : undefined}
      menu={({ key, label }) => may('update', 'keyword') && <KeywordMenu path={key} name={label} act={menuActions} />}
    />
  )
}

function KeywordMenu({ path, name, act }: { path: string; name: string; act: KeywordActions }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" tabIndex={-1} aria-label={`${word('actions')}: ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may('create', 'keyword') && <Menu.Item onClick={() => act.create(path)}>{t('newBelow')}</Menu.Item>}
        {parentOf(path) !== '' && <Menu.Item onClick={() => act.move(path, '')}>{t('toTop')}</Menu.Item>}
        {may('delete', 'keyword') && (
          <Menu.Item color="red" onClick={() => void act.remove(path, name)}>
            {word('delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
