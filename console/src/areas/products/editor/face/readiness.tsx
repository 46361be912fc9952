/**
 * How complete the product is, by language: what its category requires, and what each channel requires in which it is. A number
 * lists the missing values, and each of them leads to its field.
 */
import { Anchor, Button, List, Text } from '@mantine/core'
import type { Infer, LocaleReadiness } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../../../object/client.tsx'
import { linkedOf } from '../../../../object/links.ts'
import { useContentLocale, useContentLocales, useLocaleName } from '../../../../object/locales.ts'
import { placeOfMissing, useMissingLabel } from '../../../../object/missing-label.ts'
import { useNames } from '../../../../object/picker.tsx'
import { useTexts } from '../../../../ui/language.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import type { ProductMessage } from '../product.ts'
import { texts } from '../texts.ts'
import { Section } from './section.tsx'
import classes from './face.module.css'

type Ready = Infer<typeof LocaleReadiness>
interface Column {
  readonly key: string
  readonly label: string
  readonly locales: ReadonlyMap<string, Ready>
}

const byLocale = (locales: readonly Ready[] = []) => new Map(locales.map((one) => [one.locale ?? '', one]))

/** One column for the category and one for each channel. */
function useColumns(product: ProductMessage): readonly Column[] {
  const t = useTexts(texts)
  const { cm } = useClient()
  const { tid = '' } = product
  const channels = [...new Set(linkedOf(product, 'productToProject', 'projectTid').map((one) => one.tid))]
  const nameOf = useNames('project', channels)
  const { data = [] } = useQuery({
    queryKey: ['completeness', 'product', tid, channels],
    queryFn: async () => {
      const body = { productTids: [tid], ...(channels.length > 0 && { tids: channels, onlyProducts: [tid] }) }
      return (await cm.retrieveReadiness({ body })).objects ?? []
    },
  })
  return data
    .toSorted((a, b) => Number(a.dataType === 'project') - Number(b.dataType === 'project'))
    .map((one) => ({
      key: `${one.dataType} ${one.tid}`,
      label: one.dataType === 'product' ? t('categoryColumn') : nameOf(one.tid ?? ''),
      locales: byLocale(one.locales),
    }))
}

export function ReadinessTable({ product }: { readonly product: ProductMessage }) {
  const t = useTexts(texts)
  const [contentLocale] = useContentLocale()
  const locales = useContentLocales()
  const localeName = useLocaleName()
  const columns = useColumns(product)
  const [isWhole, setWhole] = useState(false)
  const [chosen, setChosen] = useState<{ readonly column: string; readonly locale: string }>()
  const isLacking = (locale: string) => columns.some((column) => (column.locales.get(locale)?.missing ?? 0) > 0)
  const rows = locales.filter(({ tid }) => isWhole || tid === contentLocale || isLacking(tid))
  const shown = isWhole ? rows : rows.slice(0, 6)
  const selected = columns.find(({ key }) => key === chosen?.column)?.locales.get(chosen?.locale ?? '')
  if (columns.length === 0) return null
  return (
    <Section title={t('completeness')}>
      <table className={classes.readiness}>
        <thead>
          <tr>
            <th scope="col">{t('language')}</th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ tid: locale }) => (
            <tr key={locale}>
              <th scope="row">{localeName(locale)}</th>
              {columns.map((column) => {
                const { percent = 100, required = 0, missing = 0 } = column.locales.get(locale) ?? {}
                if (required === 0)
                  return (
                    <td key={column.key}>
                      <Text span size="xs" c="dimmed">
                        –
                      </Text>
                    </td>
                  )
                return (
                  <td key={column.key}>
                    <button
                      type="button"
                      className={classes.cell}
                      data-complete={missing === 0 || undefined}
                      aria-pressed={chosen?.column === column.key && chosen.locale === locale}
                      aria-label={t('completeCell', { percent, column: column.label, locale: localeName(locale) })}
                      onClick={() => setChosen({ column: column.key, locale })}
                    >
                      {percent} %
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {(shown.length < locales.length || isWhole) && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('fewerLanguages') : t('allLanguages', { count: locales.length })}
        </Button>
      )}
      {selected && chosen && <Missing ready={selected} locale={chosen.locale} root={product.tid ?? ''} />}
    </Section>
  )
}

function Missing({ ready, locale, root }: { readonly ready: Ready; readonly locale: string; readonly root: string }) {
  const t = useTexts(texts)
  const [, change] = useUrlState()
  const labelOf = useMissingLabel()
  const { missingValues = [] } = ready
  if (missingValues.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t('complete')}
      </Text>
    )
  return (
    <List size="sm" mt={6}>
      {missingValues.slice(0, 20).map((part) => (
        <List.Item key={`${part.tid} ${part.attr} ${part.picture}`}>
          {part.dataType === 'product' ? (
            <Anchor
              component="button"
              size="sm"
              onClick={
                () =>
                change({ tab: undefined, item: `p:${root}`, missing: undefined, loc: locale, ...placeOfMissing(part) }, true) // prettier-ignore
              }
            >
              {labelOf(part)}
            </Anchor>
          ) : (
            `${labelOf(part)} (${t('channelText')})`
          )}
        </List.Item>
      ))}
    </List>
  )
}
