/** All attribute definitions: a list, and beside it the one that is open. */
import { Badge, Button, Drawer } from '@mantine/core'
import { IconPlus, IconTags } from '@tabler/icons-react'
import { useContentLocale } from '../../object/locales.ts'
import { ObjectList } from '../../object/list.tsx'
import { nameIn } from '../../object/items.ts'
import { type Definition, useDefinitions } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { usePlace } from '../../ui/place.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { DefinitionForm } from './definition-form.tsx'
import { texts } from './texts.ts'
import { useModelChange } from './use-model.ts'
import classes from './model.module.css'

const newOne = '+'

export function Definitions() {
  const t = useTexts(texts)
  const word = useTexts(words)
  const definitions = useDefinitions()
  const { mayDefinitions } = useModelChange()
  const [{ definition }, change] = usePlace()
  const [locale] = useContentLocale()
  const open = (tid: string | undefined) => change({ definition: tid }, true)
  const create = mayDefinitions && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open(newOne)}>
      {t('newDefinition')}
    </Button>
  )
  const typeOf = ({ type }: Definition) => t(type as 'text')
  return (
    <Loaded query={definitions}>
      {(data) => {
        const chosen = data.find(({ tid }) => tid === definition)
        return (
          <div className={classes.framed}>
            {data.length === 0 ? (
              <Empty icon={IconTags} title={t('noDefinitions')} action={create}>
                {t('noDefinitionsHint')}
              </Empty>
            ) : (
              <ObjectList
                label={t('definitions')}
                rows={data}
                keyOf={({ tid }) => tid}
                onOpen={({ tid }) => open(tid)}
                tools={create}
                columns={[
                  {
                    id: 'name',
                    title: t('name'),
                    width: 'minmax(12rem, 2fr)',
                    text: (one) => nameIn(one.name, locale) || one.tid,
                    show: (one) => (
                      <Button
                        variant="transparent"
                        size="compact-sm"
                        px={0}
                        tabIndex={-1}
                        onClick={() => open(one.tid)}
                      >
                        {nameIn(one.name, locale) || one.tid}
                      </Button>
                    ),
                  },
                  { id: 'tid', title: t('tid'), width: 'minmax(9rem, 1fr)', text: ({ tid }) => tid },
                  {
                    id: 'type',
                    title: t('type'),
                    width: '8rem',
                    text: typeOf,
                    show: (one) => (
                      <Badge variant="light" tt="none">
                        {typeOf(one)}
                      </Badge>
                    ),
                  },
                  {
                    id: 'localized',
                    title: t('localized'),
                    width: '8rem',
                    text: ({ localized }) => (localized === 'true' ? word('yes') : ''),
                  },
                  {
                    id: 'multiple',
                    title: t('multiple'),
                    width: '8rem',
                    text: ({ multiValued }) => (multiValued?.value === 'true' ? word('yes') : ''),
                  },
                  {
                    id: 'domain',
                    title: t('domain'),
                    width: '10rem',
                    text: ({ domainVals }) => String(domainVals?.domainVal?.length ?? ''),
                  },
                  {
                    id: 'required',
                    title: t('needed'),
                    width: '12rem',
                    text: ({ required = 'optional' }) => (required === 'optional' ? '' : t(`requirement_${required}`)),
                  },
                ]}
              />
            )}
            <Drawer
              opened={definition !== undefined && (definition === newOne || chosen !== undefined)}
              onClose={() => open(undefined)}
              position="right"
              size="lg"
              title={chosen ? nameIn(chosen.name, locale) || chosen.tid : t('newDefinition')}
              closeButtonProps={{ 'aria-label': word('close') }}
            >
              <DefinitionForm key={definition} definition={chosen} onClose={() => open(undefined)} />
            </Drawer>
          </div>
        )
      }}
    </Loaded>
  )
}
