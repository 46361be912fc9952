/**
 * The readiness of a channel by language, and beside it the missing values of the chosen language. Each of them leads to
 * its field on the page of the product.
 */
import { Anchor, Badge, Button, Chip, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconListCheck, IconPackageImport } from '@tabler/icons-react'
import type { Infer, LocaleReadiness } from '@kontor/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { CompletenessBar } from '../../object/completeness.tsx'
import { useLocaleName } from '../../object/locales.ts'
import { placeOfMissing, useMissingLabel } from '../../object/missing-label.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { useNames } from '../../object/picker.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { Channel } from './channels.ts'
import { readinessTexts } from './readiness-texts.ts'
import { QualityChecks } from './quality-checks.tsx'
import { Requirements } from './requirements.tsx'
import classes from './channels.module.css'

type Ready = Infer<typeof LocaleReadiness>

export function ReadinessTab({ channel }: { channel: Channel }) {
  return (
    <Stack gap="md">
      <Requirements channel={channel} />
      <QualityChecks channel={channel} />
      <Readiness tid={channel.tid ?? ''} />
    </Stack>
  )
}

function Readiness({ tid }: { tid: string }) {
  const t = useTexts(readinessTexts)
  const { cm } = useClient()
  const [{ missing: locale, at }, change] = useUrlState()
  const readiness = useQuery({
    queryKey: ['readiness', 'channel', tid, at],
    queryFn: async () => {
      const { objects: [found] = [] } = await cm.retrieveReadiness({
        body: { tids: [tid], ...(at && { onlyAttributes: [at] }) },
      })
      return found ?? {}
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={readiness}>
      {({ locales = [], products = 0 }) => {
        if (locales.length === 0) return <Text c="dimmed">{t('noLocales')}</Text>
        if (products === 0)
          return (
            <Empty
              icon={IconPackageImport}
              title={t('emptyChannel')}
              action={<Button onClick={() => change({ tab: undefined }, true)}>{t('toContents')}</Button>}
            >
              {t('emptyChannelBody')}
            </Empty>
          )
        if (locales.every(({ required = 0 }) => required === 0))
          return (
            <Empty icon={IconListCheck} title={t('nothingRequired')}>
              {t('nothingRequiredBody')}
            </Empty>
          )
        const chosen =
          locales.find((one) => one.locale === locale) ??
          locales.toSorted((a, b) => (b.missing ?? 0) - (a.missing ?? 0))[0]!
        return (
          <div className={classes.readiness}>
            <Numbers locales={locales} products={products} chosen={chosen.locale} />
            <MissingList ready={chosen} />
          </div>
        )
      }}
    </Loaded>
  )
}

interface NumbersProps {
  readonly locales: readonly Ready[]
  readonly products: number
  readonly chosen: string | undefined
}

function Numbers({ locales, products, chosen }: NumbersProps) {
  const t = useTexts(readinessTexts)
  const format = useFormat()
  const nameOf = useLocaleName()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('locale')}</Table.Th>
          <Table.Th scope="col">{t('complete')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('completeProducts')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('missing')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {locales.map(({ locale = '', percent = 0, missing = 0, required = 0, complete = 0 }) => (
          <Table.Tr key={locale} data-chosen={locale === chosen || undefined} className={classes.locale}>
            <Table.Th scope="row">{nameOf(locale)}</Table.Th>
            <Table.Td miw={130}>
              <CompletenessBar value={{ percent, missing, required }} />
            </Table.Td>
            <Table.Td ta="right">
              {t('ofProducts', { complete: format.number(complete), products: format.number(products) })}
            </Table.Td>
            <Table.Td ta="right">
              <Anchor
                size="sm"
                aria-label={t('showMissing', { count: missing, locale: nameOf(locale) })}
                aria-current={locale === chosen ? 'true' : undefined}
                renderRoot={(props) => (
                  <Link to="/channels" search={(before) => ({ ...before, missing: locale })} {...props} />
                )}
              >
                {format.number(missing)}
              </Anchor>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function usePeoNames(tids: readonly string[]): ReadonlyMap<string, string> {
  const { peo } = useClient()
  const { data } = useQuery({
    queryKey: ['peos', 'names', tids],
    enabled: tids.length > 0,
    queryFn: () => peo.peos.retrieve({ tids: [...tids] }).catch(emptyWhenNotFound([])),
  })
  return new Map(data?.map(({ tid = '', name = tid }) => [tid, name]))
}

function MissingList({ ready }: { ready: Ready }) {
  const { locale = '', missing = 0, missingValues = [], missingAttributes = [] } = ready
  const t = useTexts(readinessTexts)
  const [{ at = '' }, change] = useUrlState()
  const nameOf = useNames('product', missingValues.map(({ tid = '', productTid = tid }) => productTid)) // prettier-ignore
  const peoNames = usePeoNames(missingValues.flatMap(({ dataType, tid }) => (dataType === 'peo' && tid ? [tid] : [])))
  const localeName = useLocaleName()(locale)
  const labelOf = useMissingLabel()
  if (missing === 0) return <Text c="dimmed">{t('nothingMissing', { locale: localeName })}</Text>
  return (
    <section aria-label={t('missingIn', { locale: localeName })}>
      <Title order={3} mb="xs">
        {t('missingIn', { locale: localeName })}
      </Title>
      <Chip.Group value={at} onChange={(attr) => change({ at: attr === '' ? undefined : String(attr) })}>
        <Group gap={6} mb="sm" role="group" aria-label={t('byAttribute')}>
          <Chip size="xs" value="">
            {t('allAttributes')}
          </Chip>
          {missingAttributes.slice(0, 8).map(({ missing: count = 0, ...part }) =>
            part.picture === undefined ? (
              <Chip key={part.attr} size="xs" value={part.attr ?? ''}>
                {labelOf(part)} ({count})
              </Chip>
            ) : (
              <Badge key={`picture ${part.picture}`} variant="light" tt="none">
                {labelOf(part)} ({count})
              </Badge>
            ),
          )}
        </Group>
      </Chip.Group>
      <Table striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('product')}</Table.Th>
            <Table.Th scope="col">{t('attribute')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {missingValues.map(({ dataType, tid = '', productTid = tid, ...part }) => (
            <Table.Tr key={`${dataType} ${tid} ${part.attr} ${part.picture}`}>
              <Table.Td>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link to="/products/$tid" params={{ tid: productTid }} search={{ loc: locale }} {...props} />
                  )}
                >
                  {nameOf(productTid)}
                </Anchor>
                {dataType === 'peo' && (
                  <Text size="xs" c="dimmed">
                    {t('channelText', { name: peoNames.get(tid) ?? tid })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {dataType === 'peo' ? (
                  labelOf(part)
                ) : (
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to="/products/$tid"
                        params={{ tid: productTid }}
                        search={{ loc: locale, item: `p:${productTid}`, ...placeOfMissing(part) }}
                        {...props}
                      />
                    )}
                  >
                    {labelOf(part)}
                  </Anchor>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {missingValues.length === 1000 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('firstMissing', { count: missingValues.length })}
        </Text>
      )}
    </section>
  )
}
