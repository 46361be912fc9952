/**
 * The readiness of a channel by language. Each number opens the list of missing values, which link to their products.
 */
import { Anchor, Group, Table, Text, Title } from '@mantine/core'
import type { Infer, LocaleReadiness } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { CompletenessBar } from '../../object/completeness.tsx'
import { useAttributes } from '../../object/model.ts'
import { useNames } from '../../object/picker.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Loaded } from '../../ui/states.tsx'
import type { Channel } from './channels.ts'
import { texts } from './texts.ts'

type Ready = Infer<typeof LocaleReadiness>

export function ReadinessTab({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const { cm } = useClient()
  const [{ missing: locale }] = useUrlState()
  const readiness = useQuery({
    queryKey: ['readiness', 'channel', channel.tid],
    queryFn: async () => {
      const { objects: [found] = [] } = await cm.retrieveReadiness({ body: { tids: [channel.tid!] } })
      return found?.locales ?? []
    },
  })
  return (
    <Loaded query={readiness}>
      {(locales) => {
        if (locales.length === 0) return <Text c="dimmed">{t('noLocales')}</Text>
        const chosen = locales.find((one) => one.locale === locale) ?? locales.find(({ missing = 0 }) => missing > 0)
        return (
          <Group gap="xl" align="flex-start" wrap="nowrap">
            <Numbers locales={locales} />
            {chosen && <MissingList ready={chosen} />}
          </Group>
        )
      }}
    </Loaded>
  )
}

function Numbers({ locales }: { locales: readonly Ready[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  return (
    <Table w="auto">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('locale')}</Table.Th>
          <Table.Th scope="col">{t('complete')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('missing')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('required')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {locales.map(({ locale = '', percent = 100, missing = 0, required = 0 }) => (
          <Table.Tr key={locale}>
            <Table.Th scope="row">{locale.replace('_', '–')}</Table.Th>
            <Table.Td w={200}>
              <CompletenessBar value={{ percent, missing, required }} />
            </Table.Td>
            <Table.Td ta="right">
              <Anchor
                size="sm"
                aria-label={t('showMissing', { count: missing, locale })}
                renderRoot={(props) => (
                  <Link to="/channels" search={(before) => ({ ...before, missing: locale })} {...props} />
                )}
              >
                {format.number(missing)}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">{format.number(required)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function MissingList({ ready: { locale = '', missing = 0, missingValues = [] } }: { ready: Ready }) {
  const t = useTexts(texts)
  const attributes = useAttributes()
  const nameOf = useNames(
    'product',
    missingValues.map(({ tid = '', productTid = tid }) => productTid),
  )
  const localeLabel = locale.replace('_', '–')
  if (missing === 0) return <Text c="dimmed">{t('nothingMissing', { locale: localeLabel })}</Text>
  return (
    <section>
      <Title order={3} mb="xs">
        {t('missingIn', { locale: localeLabel })}
      </Title>
      <Table w="auto" striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('object')}</Table.Th>
            <Table.Th scope="col">{t('attribute')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {missingValues.map(({ dataType, tid = '', productTid = tid, attr = '' }) => (
            <Table.Tr key={`${dataType} ${tid} ${attr}`}>
              <Table.Td>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link to="/products/$tid" params={{ tid: productTid }} search={{ loc: locale }} {...props} />
                  )}
                >
                  {tid === productTid ? nameOf(tid) : `${nameOf(productTid)} (${tid})`}
                </Anchor>
              </Table.Td>
              <Table.Td>{attributes.get(attr)?.label ?? attr}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {missingValues.length < missing && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('firstMissing', { count: missingValues.length })}
        </Text>
      )}
    </section>
  )
}
