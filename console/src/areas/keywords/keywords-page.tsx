/** Keywords: the tree at the left, moved by dragging; the names of the chosen one by language at the right. */
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlus, IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { nameIn } from '../../object/items.ts'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { usePlace } from '../../ui/place.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { words } from '../../ui/words.ts'
import { KeywordNames } from './keyword-names.tsx'
import { texts } from './texts.ts'
import { type KeywordActions, type KeywordMessage, parentOf, useKeywordActions, useKeywords } from './use-keywords.tsx'

export function KeywordsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ keyword: chosen }, change] = usePlace()
  const keywords = useKeywords()
  const act = useKeywordActions((path) => change({ keyword: path }, true))
  const create = may('create', 'keyword') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => act.create('')}>
      {t('newKeyword')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={create} fill>
      <Loaded query={keywords}>
        {(all) => {
          if (all.length === 0)
            return (
              <Empty icon={IconTag} title={t('none')}>
                {t('noneBody')}
              </Empty>
            )
          const open = all.find(({ path }) => path === chosen)
          return (
            <Panes
              sideLabel={t('tree')}
              side={
                <KeywordTree all={all} chosen={chosen} onChoose={(keyword) => change({ keyword }, true)} act={act} />
              }
            >
              {open ? (
                <KeywordNames key={open.path} keyword={open} act={act} />
              ) : (
                <Empty icon={IconTag} title={t('choose')} />
              )}
            </Panes>
          )
        }}
      </Loaded>
    </Page>
  )
}

interface KeywordTreeProps {
  readonly all: readonly KeywordMessage[]
  readonly chosen: string | undefined
  readonly onChoose: (path: string) => void
  readonly act: KeywordActions
}

function KeywordTree({ all, chosen, onChoose, act }: KeywordTreeProps) {
  const t = useTexts(texts)
  const may = useMay()
  const [locale] = useContentLocale()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const below = Map.groupBy(all, ({ path = '' }) => parentOf(path))
  const toItem = ({ path = '', name }: KeywordMessage): TreeItem => ({
    key: path,
    label: nameIn(name, locale) || path,
    icon: <IconTag size={16} stroke={1.6} aria-hidden />,
    hasChildren: below.has(path),
  })
  const toggle = (path: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before)
      if (isOpen) next.add(path)
      else next.delete(path)
      return next
    })
  return (
    <Tree
      label={t('tree')}
      roots={(below.get('') ?? []).map(toItem)}
      childrenOf={(path) => (below.get(path) ?? []).map(toItem)}
      open={open}
      onToggle={toggle}
      chosen={chosen}
      onChoose={onChoose}
      onMove={
        may('update', 'keyword')
          ? (path, target) => {
              toggle(target, true)
              act.move(path, target)
            }
          : undefined
      }
      menu={({ key, label }) =>
        may('update', 'keyword') && (
          <KeywordMenu
            path={key}
            name={label}
            act={{
              ...act,
              create: (path) => {
                toggle(path, true)
                act.create(path)
              },
            }}
          />
        )
      }
    />
  )
}

function KeywordMenu({ path, name, act }: { path: string; name: string; act: KeywordActions }) {
  const t = useTexts(texts)
  const word = useTexts(words)
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
