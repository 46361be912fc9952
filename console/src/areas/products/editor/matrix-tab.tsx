/**
 * A matrix of all variations: a row per variation, a column per attribute, edited in the same draft. The names stay in view
 * while the columns scroll. A value can be copied down to the rows below, and cells can be pasted from a spreadsheet.
 */
import { ActionIcon, MultiSelect, Text, Tooltip } from '@mantine/core'
import { IconArrowBarDown, IconTable } from '@tabler/icons-react'
import type { ClipboardEvent } from 'react'
import { useContentLocale } from '../../../object/locales.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { displayTextOf } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { Empty } from '../../../ui/states.tsx'
import { GenerateButton } from './generate.tsx'
import { cellsOf, textsOfCell } from './paste.ts'
import { allOf, isInherited, type Item, itemKey, ownName } from './product.ts'
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
  const items = allOf(root).slice(1)
  const localeOf = ({ localized }: Attribute) => (localized ? locale : '')
  const mayWrite = (item: Item, attribute: Attribute) =>
    attribute.levels.includes(item.level) &&
    !attribute.readOnly &&
    draft.refusal(attribute.key, localeOf(attribute)) === undefined
  const write = (item: Item, attribute: Attribute, written: readonly string[]) =>
    draft.write(item, attribute.key, localeOf(attribute), written)

  /** The rows below of the same level get the value. */
  const copyDown = (row: number, attribute: Attribute) => {
    const source = draft.texts(items[row]!, attribute.key, localeOf(attribute))
    const below = items.slice(row + 1).filter(({ level }) => level === items[row]!.level)
    for (const item of below) if (mayWrite(item, attribute)) write(item, attribute, source)
  }
  /** One cell is pasted as usual; several fill the matrix from here to the right and downwards. */
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (cells.length <= 1 && (cells[0]?.length ?? 0) <= 1) return
    event.preventDefault()
    let count = 0
    cells.forEach((line, down) =>
      line.forEach((text, right) => {
        const item = items[row + down]
        const attribute = columns[column + right]
        if (!item || !attribute || !mayWrite(item, attribute)) return
        write(item, attribute, textsOfCell(text, attribute))
        count++
      }),
    )
    notifyDone(t('pasted', { count }))
  }
  if (items.length === 0)
    return (
      <Empty icon={IconTable} title={t('noVariations')} action={<GenerateButton tid={root.tid} />}>
        {t('noVariationsHint')}
      </Empty>
    )
  return (
    <>
      <div className={classes.bar}>
        <GenerateButton tid={root.tid} />
        <MultiSelect
          size="xs"
          aria-label={t('columns')}
          data={possible.map(({ key, label }) => ({ value: key, label }))}
          value={columns.map(({ key }) => key)}
          onChange={(keys) => change({ cols: keys.join(',') })}
          searchable
          miw={260}
        />
        <Text size="xs" c="dimmed">
          {t('pasteHint')}
        </Text>
      </div>
      <div className={classes.wide} tabIndex={0} role="region" aria-label={t('matrix')}>
        <table className={classes.matrix}>
          <colgroup>
            <col className={classes.nameColumn} />
            {columns.map((attribute) => (
              <col key={attribute.key} style={{ width: widthOf(attribute) }} />
            ))}
          </colgroup>
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
            {items.map((item, row) => (
              <tr key={itemKey(item)}>
                <th scope="row" data-level={item.level} title={item.name}>
                  {ownName(item)}
                </th>
                {columns.map((attribute, column) => (
                  <td
                    key={attribute.key}
                    data-written={draft.isWritten(item, attribute.key, localeOf(attribute)) || undefined}
                    onPaste={(event) => paste(event, row, column)}
                  >
                    {attribute.levels.includes(item.level) && (
                      <Cell
                        item={item}
                        attribute={attribute}
                        draft={draft}
                        locale={localeOf(attribute)}
                        isLast={!items.slice(row + 1).some(({ level }) => level === item.level)}
                        isWritable={mayWrite(item, attribute)}
                        onCopyDown={() => copyDown(row, attribute)}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Fixed by type, so that codes are not broken into lines and rows stay low. */
const widthOf = ({ dataType, localized, multiple, units, currencies }: Attribute) =>
  multiple || localized || units || currencies
    ? '18rem'
    : dataType === 'text'
      ? '13rem'
      : dataType === 'boolean'
        ? '8rem'
        : '10rem'

interface CellProps {
  readonly item: Item
  readonly attribute: Attribute
  readonly draft: ProductDraft
  readonly locale: string
  readonly isLast: boolean
  readonly isWritable: boolean
  readonly onCopyDown: () => void
}

function Cell({ item, attribute, draft, locale, isLast, isWritable, onCopyDown }: CellProps) {
  const t = useTexts(texts)
  const val = item.vals.get(attribute.key)
  const label = `${attribute.label}: ${item.name}`
  return (
    <div className={classes.cell}>
      <ValueField
        attribute={attribute}
        texts={draft.texts(item, attribute.key, locale)}
        onChange={(written) => draft.write(item, attribute.key, locale, written)}
        placeholder={isInherited(val) ? displayTextOf(val, locale) : ''}
        aria-label={label}
        disabled={!isWritable}
        size="xs"
      />
      {isWritable && !isLast && (
        <Tooltip label={t('copyDown')}>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={t('copyDownOf', { name: label })}
            onClick={onCopyDown}
          >
            <IconArrowBarDown size={13} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}
