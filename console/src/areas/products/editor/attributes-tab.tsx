/**
 * The values of the selected product, article or variation, grouped by the category that defines the attribute, with
 * languages side by side.
 */
import { Badge, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useContentLocale, useContentLocales } from '../../../object/locales.ts'
import { namesOfPath, toNodeTree, useClassificationTree } from '../../../object/model.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { Empty } from '../../../ui/states.tsx'
import { IconListDetails } from '@tabler/icons-react'
import { AttributeRow } from './attribute-row.tsx'
import { isMissing } from './missing.ts'
import { hasValue, type Item } from './product.ts'
import { texts } from './texts.ts'
import type { ProductDraft } from './use-product.ts'
import classes from './editor.module.css'

interface AttributesTabProps {
  readonly item: Item
  readonly draft: ProductDraft
  readonly attributes: ReadonlyMap<string, Attribute>
}

export function AttributesTab({ item, draft, attributes }: AttributesTabProps) {
  const t = useTexts(texts)
  const [fields, change] = useUrlState()
  const [locale] = useContentLocale()
  const locales = useContentLocales()
  const [text, setText] = useState('')
  const { data: nodes = [] } = useClassificationTree()
  const tree = toNodeTree(nodes, locale, () => '')
  const visibleLocales = fields.with ? [...new Set([locale, ...fields.with.split(',')])] : [locale]
  const columns = new Set([...attributes.values()].flatMap((attribute) => attribute.columns))
  const here = [...attributes.values()].filter(
    (attribute) =>
      !columns.has(attribute.key) &&
      (attribute.nodePath ? attribute.levels.includes(item.level) : hasValue(item, attribute)),
  )
  const missing = here.filter((attribute) => isMissing(item, draft, attribute, visibleLocales))
  const filter = text.trim().toLocaleLowerCase()
  const visible = (fields.missing ? missing : here).filter(({ key, label }) =>
    `${label} ${key}`.toLocaleLowerCase().includes(filter),
  )
  const groups = Map.groupBy(visible, ({ nodePath }) => nodePath ?? '')
  return (
    <>
      <div className={classes.bar}>
        <TextInput
          size="xs"
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <MultiSelect
          size="xs"
          aria-label={t('languages')}
          placeholder={visibleLocales.length > 1 ? undefined : t('languages')}
          data={locales.filter(({ tid }) => tid !== locale).map(({ tid }) => tid)}
          value={visibleLocales.slice(1)}
          onChange={(chosen) => change({ with: chosen.join(',') })}
          maxValues={4}
          miw={180}
          searchable
        />
        <Checkbox
          size="xs"
          label={t('onlyMissing')}
          checked={fields.missing === 'yes'}
          onChange={({ currentTarget }) => change({ missing: currentTarget.checked ? 'yes' : undefined })}
        />
        {draft.refusal('', '') === 'object' && (
          <Badge ml="auto" variant="light" color="gray" tt="none">
            {t('mayNot')}
          </Badge>
        )}
        <Badge ml="auto" variant="light" color={missing.length > 0 ? 'amber' : 'teal'} tt="none">
          {missing.length > 0 ? t('missingCount', { count: missing.length }) : t('complete')}
        </Badge>
      </div>
      {here.length === 0 && (
        <Empty icon={IconListDetails} title={t('noAttributes')}>
          {t('noAttributesHint')}
        </Empty>
      )}
      {[...groups].map(([path, group]) => (
        <section key={path}>
          <div className={classes.group}>
            <h2>{path ? t('node', { node: namesOfPath(tree, path, locale).join(' › ') }) : t('other')}</h2>
          </div>
          {group.map((attribute) => (
            <AttributeRow
              key={attribute.key}
              item={item}
              attribute={attribute}
              attributes={attributes}
              draft={draft}
              locales={visibleLocales}
            />
          ))}
        </section>
      ))}
    </>
  )
}
