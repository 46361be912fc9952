/** Glossaries: on the left the list, on the right the entries of the chosen one with their texts by language. */
import { Button, Group, NavLink, ScrollArea, Select, Title } from '@mantine/core'
import { enforcements } from '@kontor/contract'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useClient, useMay } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { accepted } from '../../object/records.ts'
import { askName } from '../../ui/ask-name.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Entries } from './entries.tsx'
import { texts } from './texts.ts'
import { type GlossaryRow, useEntries, useGlossaries, useGlossaryChange } from './use-glossaries.ts'

export function GlossariesPage() {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const { common } = useClient()
  const [{ glossary: chosen }, changePlace] = useUrlState()
  const change = useGlossaryChange()
  const glossaries = useGlossaries()
  const create = () =>
    askName(
      { title: t('newGlossary'), label: t('glossaryName'), confirm: word('create'), cancel: word('cancel') },
      (name) =>
        void change(async () => {
          const [created] = await accepted(common.glossaries.persist([{ name }]))
          changePlace({ glossary: created!.tid }, true)
        }),
    )
  const actions = may('create', 'glossary') && (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      {t('newGlossary')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      <Loaded query={glossaries}>
        {(all) => {
          if (all.length === 0)
            return (
              <Empty icon={IconBook2} title={t('none')}>
                {t('noneBody')}
              </Empty>
            )
          const open = all.find(({ tid }) => tid === chosen) ?? (all.length === 1 ? all[0] : undefined)
          return (
            <Panes sideLabel={t('list')} side={<List all={all} open={open} />}>
              {open ? <Glossary key={open.tid} glossary={open} /> : <Empty icon={IconBook2} title={t('choose')} />}
            </Panes>
          )
        }}
      </Loaded>
    </Page>
  )
}

function List({ all, open }: { all: readonly GlossaryRow[]; open: GlossaryRow | undefined }) {
  return (
    <ScrollArea>
      {all.map(({ tid, name }) => (
        <NavLink
          key={tid}
          label={name}
          leftSection={<IconBook2 size={16} stroke={1.6} />}
          active={tid === open?.tid}
          renderRoot={(props) => (
            <Link to="/glossaries" search={(before) => ({ ...before, glossary: tid })} {...props} />
          )}
        />
      ))}
    </ScrollArea>
  )
}

function Glossary({ glossary }: { glossary: GlossaryRow }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const { common } = useClient()
  const [, changePlace] = useUrlState()
  const change = useGlossaryChange()
  const entries = useEntries(glossary)
  const { tid, name, enforcement } = glossary
  const enforce = (value: string | null) =>
    value &&
    change(() => accepted(common.glossaries.persist([{ tid, meta: { itm: [{ key: 'enforcement', value }] } }])))
  const rename = () =>
    askName(
      { title: word('rename'), label: t('glossaryName'), before: name, confirm: word('save'), cancel: word('cancel') },
      (next) => void change(() => accepted(common.glossaries.persist([{ tid, name: next }]))),
    )
  const confirmDelete = useConfirmDelete()
  const remove = () =>
    confirmDelete(t('deleteGlossary', { name }), t('deleteGlossaryBody', { count: entries.data?.length ?? 0 }), () =>
      change(async () => {
        await accepted(common.glossaries.perform([{ type: 'delete', tid }]))
        changePlace({ glossary: undefined })
        notifyDone(t('deleted', { name }))
      }),
    )
  return (
    <>
      <Group justify="space-between" p="md" pb={0}>
        <Title order={2}>{name}</Title>
        <Group gap="xs" align="flex-end">
          <Select
            size="xs"
            label={t('enforcement')}
            data={enforcements.map((value) => ({ value, label: t(value) }))}
            value={enforcement}
            onChange={(value) => void enforce(value)}
            allowDeselect={false}
            disabled={!may('update', 'glossary')}
          />
          {may('update', 'glossary') && (
            <Button size="xs" variant="default" onClick={rename}>
              {word('rename')}
            </Button>
          )}
          {may('delete', 'glossary') && (
            <Button size="xs" variant="light" color="red" onClick={remove}>
              {word('delete')}
            </Button>
          )}
        </Group>
      </Group>
      <Loaded query={entries}>{(all) => <Entries glossary={glossary} entries={all} />}</Loaded>
    </>
  )
}
