/** A matrix of all variations: a row per variation, a column per attribute, edited in the same draft. */
import { MultiSelect } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useContentLocale } from '../../../object/locales.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { displayTextOf } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { Empty } from '../../../ui/states.tsx'
import { isInherited, type Item, itemKey } from './product.ts'
import { texts } from './texts.ts'
import type { ProductDraft } from './use-product.ts'
import classes from './editor.module.css'

interface MatrixTabProps {
  readonly root: Item
  readonly draft: ProductDraft
  readonly attributes: ReadonlyMap<string, Attribute>
}

export function MatrixTab({ root, draft, attributes }: MatrixTabProps) {
  const t = useTexts(texts)
  const [fields, change] = useUrlState()
  const [locale] = useContentLocale()
  const possible = [...attributes.values()].filter(
    ({ nodePath, levels, dataType }) => nodePath && dataType !== 'table' && /[av]/.test(levels),
  )
  const chosen = fields.cols?.split(',') ?? possible.filter(({ levels }) => levels !== 'pav').map(({ key }) => key)
  const columns = possible.filter(({ key }) => chosen.includes(key))
  if (root.children.length === 0)
    return (
      <Empty icon={IconTable} title={t('noVariations')}>
        {t('noVariationsHint')}
      </Empty>
    )
  return (
    <>
      <div className={classes.bar}>
        <MultiSelect
          size="xs"
          aria-label={t('columns')}
          data={possible.map(({ key, label }) => ({ value: key, label }))}
          value={columns.map(({ key }) => key)}
          onChange={(keys) => change({ cols: keys.join(',') })}
          searchable
          miw={260}
        />
      </div>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {root.children.map((article) => (
            <Fragment key={itemKey(article)}>
              <MatrixRow item={article} columns={columns} draft={draft} locale={locale} />
              {article.children.map((variant) => (
                <MatrixRow key={itemKey(variant)} item={variant} columns={columns} draft={draft} locale={locale} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </>
  )
}

function MatrixRow({
  item,
  columns,
  draft,
  locale,
}: {
  item: Item
  columns: readonly Attribute[]
  draft: ProductDraft
  locale: string
}) {
  return (
    <tr>
      <th
        scope="row"
        style={{ paddingLeft: item.level === 'v' ? '1.75rem' : '0.75rem', fontWeight: item.level === 'v' ? 400 : 600 }}
      >
        {item.name}
      </th>
      {columns.map((attribute) => {
        const here = attribute.localized ? locale : ''
        const val = item.vals.get(attribute.key)
        return (
          <td key={attribute.key} data-written={draft.isWritten(item, attribute.key, here) || undefined}>
            {attribute.levels.includes(item.level) && (
              <ValueField
                attribute={attribute}
                texts={draft.texts(item, attribute.key, here)}
                onChange={(written) => draft.write(item, attribute.key, here, written)}
                placeholder={isInherited(val) ? displayTextOf(val, here) : ''}
                aria-label={`${attribute.label}: ${item.name}`}
                disabled={draft.refusal(attribute.key, here) !== undefined}
                size="xs"
              />
            )}
          </td>
        )
      })}
    </tr>
  )
}
