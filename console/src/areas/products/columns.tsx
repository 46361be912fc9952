/** The columns of the product grid: fixed ones, and the chosen attributes, which can be edited in place. */
import { Text } from '@mantine/core'
import { plainText } from '@kontor/contract'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CompletenessBar, useCompleteness } from '../../object/completeness.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { namesOfPath, type NodeTree } from '../../object/model.ts'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import type { Attribute } from '../../object/values/attribute.ts'
import { displayTextOf } from '../../object/values/draft.ts'
import { useUnitText } from '../../object/values/reader-units.ts'
import { useFormat } from '../../ui/format.ts'
import type { Column } from '../../ui/grid/grid.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { CellEditor } from './cell-editor.tsx'
import { type Row, valOf } from './list.ts'
import { texts } from './texts.ts'
import classes from './products.module.css'

/**
 * A column with the values of an attribute. Values are edited in place, unless the attribute is read-only, a table or
 * formatted text, whose editor needs more space.
 */
function valueColumn(
  attribute: Attribute,
  contentLocale: string,
  unitText: ReturnType<typeof useUnitText>,
): Column<Row> {
  const { key, label, dataType, localized, readOnly, units } = attribute
  const locale = localized ? contentLocale : ''
  const textOf = (text: string) => (dataType === 'richtext' ? plainText(text) : unitText(text, units))
  return {
    id: `vals.${key}`,
    title: label,
    width: 'minmax(9rem, 1fr)',
    ...((dataType === 'number' || dataType === 'measure') && { align: 'end' as const }),
    show: (row) => textOf(displayTextOf(valOf(row, key), locale)),
    ...(!readOnly &&
      dataType !== 'table' &&
      dataType !== 'richtext' && {
        edit: (row: Row, close: () => void) => (
          <CellEditor row={row} attribute={attribute} locale={locale} onClose={close} />
        ),
      }),
  }
}

export function useColumns(
  loaded: readonly (readonly Row[])[],
  visible: readonly string[],
  attributes: ReadonlyMap<string, Attribute>,
  tree: NodeTree,
): Column<Row>[] {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const format = useFormat()
  const [locale] = useContentLocale()
  const unitText = useUnitText()
  const pictures = usePictures(loaded.map((rows) => rows.flatMap(({ picture }) => picture ?? [])))
  const completeness = useCompleteness(
    loaded.map((rows) => rows.map(({ tid = '' }) => tid)),
    locale,
  )
  return useMemo(() => {
    return [
      {
        id: 'picture',
        title: '',
        width: '3.5rem',
        show: ({ picture }) => <Thumbnail picture={picture ? pictures.get(picture) : undefined} />,
      },
      {
        id: 'name',
        title: word('name'),
        width: 'minmax(12rem, 2fr)',
        sortable: true,
        show: ({ tid = '', name }) => (
          <Link to="/products/$tid" params={{ tid }} className={classes.name} tabIndex={-1}>
            {name}
          </Link>
        ),
      },
      {
        id: 'tid',
        title: t('tid'),
        width: '7rem',
        sortable: true,
        show: ({ tid }) => <span className={classes.mono}>{tid}</span>,
      },
      ...visible
        .flatMap((tid) => attributes.get(tid) ?? [])
        .map((attribute) => valueColumn(attribute, locale, unitText)),
      {
        id: 'node',
        title: t('node'),
        width: 'minmax(8rem, 1fr)',
        show: ({ node = '' }) => (
          <Text size="sm" truncate title={namesOfPath(tree, node, locale).join(' › ')}>
            {namesOfPath(tree, node, locale).at(-1)}
          </Text>
        ),
      },
      {
        id: 'articles',
        title: t('articles'),
        width: '5rem',
        align: 'end',
        show: ({ articles = 0, variations = 0 }) => (articles > 0 ? `${articles} · ${variations}` : '–'),
      },
      {
        id: 'completeness',
        title: t('completeness'),
        width: '7.5rem',
        show: ({ tid = '' }) => <CompletenessBar value={completeness.get(tid)} />,
      },
      {
        id: 'modified',
        title: word('updated'),
        width: '8rem',
        sortable: true,
        show: ({ modifiedAt, modifiedBy }) =>
          modifiedAt && (
            <Text size="sm" c="dimmed" truncate title={`${format.dateTime(modifiedAt)} ${word('by')} ${modifiedBy}`}>
              {format.ago(modifiedAt)}
            </Text>
          ),
      },
    ]
  }, [t, word, format, locale, pictures, completeness, visible.join(','), attributes, tree, unitText])
}
