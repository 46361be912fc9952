/** Channel types: their names, and the attributes that channels of each type have. */
import { Button, Drawer, Group, Stack, Title } from '@mantine/core'
import { type Infer, ProjectDefinition } from '@kontor/contract'
import { IconArrowLeft, IconBroadcast, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient, useMe } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { nameIn } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useContentLocale } from '../../object/locales.ts'
import type { Definition } from '../../object/model.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { DefinitionForm } from './definition-form.tsx'
import { NameModal } from './name-modal.tsx'
import type { DefinitionSource } from './sources.ts'
import { texts } from './texts.ts'
import classes from './model.module.css'

type ChannelType = Infer<typeof ProjectDefinition>
const typesKey = ['channel-types']

export function ChannelTypes() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { cm } = useClient()
  const { roles = [] } = useMe()
  const run = useChange(typesKey)
  const [locale] = useContentLocale()
  const [{ type: chosen }, change] = useUrlState()
  const [naming, setNaming] = useState<ChannelType>()
  const mayChange = roles.includes('admin')
  const types = useQuery({
    queryKey: typesKey,
    queryFn: async () => (await cm.listChannelTypes()).projectDefs?.projectDef ?? [],
  })
  const nameOf = ({ name, tid = '' }: ChannelType) => nameIn(name, locale) || tid
  const opened = types.data?.find(({ tid }) => tid === chosen)
  const persist = (type: ChannelType, dryRun = false) => accepted(cm['admin/channel-types'].persist([type], { dryRun }))
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setNaming({})}>
      {t('newType')}
    </Button>
  )
  return (
    <div className={classes.framed}>
      <ListPage
        type={ProjectDefinition}
        label={t('channelTypesTab')}
        query={types}
        labelOf={useLabels(texts)}
        keyOf={({ tid = '' }) => tid}
        onOpen={({ tid }) => change({ type: tid }, true)}
        tools={create}
        empty={
          <Empty icon={IconBroadcast} title={t('noTypes')} action={create}>
            {t('noTypesHint')}
          </Empty>
        }
        fields={{
          name: { text: nameOf },
          attrDefs: {
            title: t('attributes'),
            text: ({ attrDefs }) => t('attributeCount', { count: attrDefs?.attrDef?.length ?? 0 }),
          },
          tid: {},
          ...hide('meta', 'config'),
        }}
      />
      {naming && (
        <NameModal
          title={naming.tid === undefined ? t('newType') : w('rename')}
          name={naming.name}
          tid={naming.tid}
          taken={(types.data ?? []).flatMap(({ tid }) => tid ?? [])}
          onClose={() => setNaming(undefined)}
          onSave={async (tid, name) => {
            const done = await run(() => persist({ tid, name }))
            if (done) change({ type: tid }, true)
            return done
          }}
        />
      )}
      {opened && (
        <TypeDrawer
          type={opened}
          name={nameOf(opened)}
          mayChange={mayChange}
          persist={persist}
          run={run}
          onRename={() => setNaming(opened)}
          onClose={() => change({ type: undefined }, true)}
        />
      )}
    </div>
  )
}

interface TypeDrawerProps {
  readonly type: ChannelType
  readonly name: string
  readonly mayChange: boolean
  readonly persist: (type: ChannelType, dryRun?: boolean) => Promise<unknown>
  readonly run: DefinitionSource['run']
  readonly onRename: () => void
  readonly onClose: () => void
}

/** The attributes of a type; one of them can be open. */
function TypeDrawer({ type, name, mayChange, persist, run, onRename, onClose }: TypeDrawerProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const [edited, setEdited] = useState<{ definition: Definition | undefined }>()
  const definitions = type.attrDefs?.attrDef ?? []
  const tid = type.tid!
  const source: DefinitionSource = {
    of: `channel type ${tid}`,
    list: { data: definitions, error: undefined, refetch: () => undefined },
    mayChange,
    persist: (definition, dryRun) => persist({ tid, attrDefs: { attrDef: [definition] } }, dryRun),
    remove: (key) =>
      persist({ tid, attrDefs: { type: 'full', attrDef: definitions.filter((one) => one.tid !== key) } }),
    run,
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={name}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      {edited ? (
        <Stack>
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowLeft size={16} />}
              onClick={() => setEdited(undefined)}
            >
              {t('backToType', { name })}
            </Button>
          </Group>
          <DefinitionForm definition={edited.definition} source={source} onClose={() => setEdited(undefined)} />
        </Stack>
      ) : (
        <Stack>
          <Title order={3} size="h5">
            {t('typeAttributes')}
          </Title>
          {definitions.map((definition) => (
            <Button
              key={definition.tid}
              variant="default"
              justify="space-between"
              rightSection={t(`type_${definition.type as 'text'}`)}
              onClick={() => setEdited({ definition })}
            >
              {nameIn(definition.name, locale) || definition.tid}
            </Button>
          ))}
          {mayChange && (
            <Group justify="space-between">
              <Button variant="subtle" onClick={onRename}>
                {w('rename')}
              </Button>
              <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited({ definition: undefined })}>
                {t('newDefinition')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Drawer>
  )
}
