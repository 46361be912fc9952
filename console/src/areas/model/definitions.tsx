/** All attribute definitions as a list, and next to it the one that is open. */
import { Badge, Button, Drawer } from '@mantine/core'
import { AttrDefinition } from '@kontor/contract'
import { IconPlus, IconTags } from '@tabler/icons-react'
import { useAttributeGroups } from '../../object/attribute-groups.ts'
import { hide } from '../../object/fields.ts'
import { nameIn } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useContentLocale } from '../../object/locales.ts'
import type { Definition } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { DefinitionForm } from './definition-form.tsx'
import { type DefinitionSource, useAssetSource, useProductSource } from './sources.ts'
import { texts } from './texts.ts'
import classes from './model.module.css'

/** The address of a new definition, which has no tid yet. */
const newKey = '+'

export const ProductDefinitions = () => <Definitions source={useProductSource()} />
export const AssetDefinitions = () => <Definitions source={useAssetSource()} />

export function Definitions({ source }: { source: DefinitionSource }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const definitions = source.list
  const [{ definition }, change] = useUrlState()
  const [locale] = useContentLocale()
  const chosen = definitions.data?.find(({ tid }) => tid === definition)
  const open = (tid: string | undefined) => change({ definition: tid }, true)
  const create = source.mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open(newKey)}>
      {t('newDefinition')}
    </Button>
  )
  const nameOf = ({ name, tid }: Definition) => nameIn(name, locale) || tid
  const groupLabels = new Map(useAttributeGroups().map(({ tid, label }) => [tid, label]))
  const typeOf = ({ type }: Definition) => t(`type_${type as 'text'}`)
  return (
    <div className={classes.framed}>
      <ListPage
        type={AttrDefinition}
        label={t('definitions')}
        query={definitions}
        labelOf={useLabels(texts)}
        keyOf={({ tid }) => tid}
        onOpen={({ tid }) => open(tid)}
        tools={create}
        empty={
          <Empty icon={IconTags} title={t('noDefinitions')} action={create}>
            {t('noDefinitionsHint')}
          </Empty>
        }
        fields={{
          name: {
            text: nameOf,
            show: (one) => (
              <Button variant="transparent" size="compact-sm" px={0} tabIndex={-1} onClick={() => open(one.tid)}>
                {nameOf(one)}
              </Button>
            ),
          },
          type: {
            width: '8rem',
            text: typeOf,
            show: (one) => (
              <Badge variant="light" tt="none">
                {typeOf(one)}
              </Badge>
            ),
          },
          localized: {},
          multiValued: { text: ({ multiValued }) => (multiValued?.value === 'true' ? word('yes') : '') },
          domainVals: { width: '10rem', text: ({ domainVals }) => String(domainVals?.domainVal?.length ?? '') },
          required: {
            width: '12rem',
            text: ({ required = 'optional' }) => (required === 'optional' ? '' : t(`requirement_${required}`)),
          },
          group: source.of === 'product' && { text: ({ group }) => groupLabels.get(group?.tid ?? '') ?? '' },
          tid: {},
          ...hide('tooltip', 'id', 'noValidateAsRichText', 'domain'),
        }}
      />
      <Drawer
        opened={definition !== undefined && (definition === newKey || chosen !== undefined)}
        onClose={() => open(undefined)}
        position="right"
        size="lg"
        title={chosen ? nameOf(chosen) : t('newDefinition')}
        closeButtonProps={{ 'aria-label': word('close') }}
      >
        <DefinitionForm key={definition} definition={chosen} source={source} onClose={() => open(undefined)} />
      </Drawer>
    </div>
  )
}
