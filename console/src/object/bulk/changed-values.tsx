/** Values before and after a change, as people read them: with labels and names instead of keys and tids. */
import { Text } from '@mantine/core'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { useLocaleName } from '../locales.ts'
import { useNames } from '../picker.tsx'
import type { PickerKind } from '../picker-sources.ts'
import type { Attribute } from '../values/attribute.ts'
import type { BulkItem } from './operations.ts'
import { usageTexts } from '../usage-texts.ts'
import { texts } from './texts.ts'
import classes from './bulk.module.css'

type ChangedValue = NonNullable<BulkItem['changes']>[number]
type Attributes = ReadonlyMap<string, Attribute>

type Named = Exclude<NonNullable<ChangedValue['dataType']>, 'folder' | 'name'>
const pickers: Readonly<Record<Named, PickerKind>> = {
  node: 'category',
  project: 'project',
  asset: 'file',
  product: 'product',
  keyword: 'keyword',
}
const labels = { node: 'category', project: 'channel', asset: 'file', product: 'product', keyword: 'keyword', folder: 'folder', name: 'fileName' } as const // prettier-ignore
const plainTypes: ReadonlySet<string> = new Set(['node', 'folder', 'name'])

/** Names of everything that the items mention, by kind. */
function useTitles(items: readonly BulkItem[]) {
  const all = items.flatMap(({ changes = [] }) => changes)
  const of = (type: keyof typeof pickers) =>
    all.filter(({ dataType }) => dataType === type).flatMap(({ before = [], after = [] }) => [...before, ...after])
  return {
    node: useNames('category', of('node')),
    project: useNames('project', of('project')),
    asset: useNames('file', of('asset')),
    product: useNames('product', of('product')),
    keyword: useNames('keyword', of('keyword')),
  }
}

export function useValueTexts(items: readonly BulkItem[], attributes: Attributes) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const titles = useTitles(items)
  const localeName = useLocaleName()
  const usage = useTexts(usageTexts)
  const fileName = useNames('file', items.flatMap(({ changes = [] }) => changes.flatMap(({ of }) => of ?? []))) // prettier-ignore
  const labelOf = ({ attribute, locale, usageRight, dataType, linkType, of }: ChangedValue): string => {
    if (usageRight) return usage(usageRight)
    if (of !== undefined && dataType)
      return `${fileName(of)}: ${t(labels[dataType])}${linkType ? ` (${linkType})` : ''}`
    if (dataType) return linkType ? `${t(labels[dataType])} (${linkType})` : t(labels[dataType])
    const label = attributes.get(attribute ?? '')?.label ?? attribute ?? ''
    return locale ? `${label}, ${localeName(locale)}` : label
  }
  const textOf = ({ attribute, dataType }: ChangedValue, content: readonly string[] = []) => {
    if (content.length === 0) return dataType && !plainTypes.has(dataType) ? t('notLinked') : t('nothingThere')
    if (dataType === 'folder' || dataType === 'name') return content.join(', ')
    if (dataType) return content.map(titles[dataType]).join(', ')
    const known = attributes.get(attribute ?? '')
    const read = (text: string) => {
      if (known?.dataType === 'boolean') return text === 'true' ? word('yes') : word('no')
      return known?.options?.find(({ value }) => value === text)?.label ?? text
    }
    return content.map(read).join(', ')
  }
  return { labelOf, textOf }
}

export function ChangedValues({
  item,
  labelOf,
  textOf,
}: { readonly item: BulkItem } & ReturnType<typeof useValueTexts>) {
  return (
    <div className={classes.values}>
      {(item.changes ?? []).map((value) => (
        <div key={labelOf(value)} className={classes.value}>
          <Text span size="xs" c="dimmed">
            {labelOf(value)}
          </Text>
          <del>{textOf(value, value.before)}</del>
          <span aria-hidden>→</span>
          <ins>{textOf(value, value.after)}</ins>
        </div>
      ))}
    </div>
  )
}
