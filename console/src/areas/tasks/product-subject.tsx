/** A product that a task is about: its picture, what is missing, its values, and its changes since the process began. */
import { Alert, Anchor, Button, Image, List, Text, Title } from '@mantine/core'
import type { Infer, ProductHistoryEntry } from '@kontor/contract'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useMay } from '../../object/client.tsx'
import { assetsOf } from '../../object/links.ts'
import { useContentLocale, useLocaleName } from '../../object/locales.ts'
import { namesOfPath, toNodeTree, useAttributes, useClassificationTree } from '../../object/model.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { usePictures } from '../../object/pictures.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loading } from '../../ui/states.tsx'
import type { Task } from './tasks.ts'
import { texts } from './texts.ts'
import { useProcess, useTaskLocales, type ValueChange, ValueTable } from './value-table.tsx'
import classes from './tasks.module.css'

export function ProductSubject({ tid, task }: { tid: string; task: Task }) {
  const t = useTexts(texts)
  const may = useMay()
  const { pim } = useClient()
  const locales = useTaskLocales(task)
  const [content] = useContentLocale()
  const { data: nodes = [] } = useClassificationTree()
  const changes = useChanges(tid, task)
  const { data: product } = useQuery({
    queryKey: ['products', 'task', tid],
    queryFn: async () => (await pim.products.retrieve({ tids: [tid] }).catch(emptyWhenNotFound([])))[0] ?? null,
  })
  const assets = product ? assetsOf(product) : []
  const picture = usePictures([assets.slice(0, 1)]).get(assets[0] ?? '')
  if (product === undefined) return <Loading shape="page" />
  if (product === null) return <Text size="sm">{t('gone')}</Text>
  const url = picture?.urls.get('preview') ?? picture?.urls.get('thumbnail')
  const { node = '', name = tid } = product
  const target = locales.at(-1)
  const others = locales.length > 1 ? { with: locales[0] } : {}
  return (
    <>
      <div>
        <Text size="xs" c="dimmed">
          {namesOfPath(
            toNodeTree(nodes, content, () => ''),
            node,
            content,
          ).join(' › ')}
        </Text>
        <Title order={2}>
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link to="/products/$tid" params={{ tid }} search={{ loc: target, ...others }} {...props} />
            )}
          >
            {name}
          </Anchor>
        </Title>
      </div>
      <div className={classes.product}>
        {url && <Image className={classes.picture} src={url} alt="" mah={360} fit="contain" />}
        <div className={classes.values}>
          <Missing tid={tid} locale={target ?? content} />
          <ValueTable vals={product.vals?.val ?? []} locales={locales} changes={changes} />
          {may('update', 'product') && (
            <Button
              mt="sm"
              variant="default"
              leftSection={<IconPencil size={16} />}
              renderRoot={(props) => (
                <Link to="/products/$tid" params={{ tid }} search={{ loc: target, ...others }} {...props} />
              )}
            >
              {t('editProduct')}
            </Button>
          )}
        </div>
      </div>
      <Changes changes={changes} />
    </>
  )
}

type Entry = Infer<typeof ProductHistoryEntry>

/** The values of the product itself that were changed since the process of the task was started, newest first. */
function useChanges(tid: string, task: Task): readonly ValueChange[] {
  const { pim } = useClient()
  const since = useProcess(task)?.process?.startedAt
  const { data = [] } = useQuery({
    queryKey: ['products', 'history', 'task', tid],
    queryFn: async () => (await pim.productHistory({ body: { tid, count: 200 } })).entries ?? [],
  })
  return since === undefined ? [] : valueChanges(data.filter(({ at }) => at !== undefined && at >= since))
}

const valueChanges = (entries: readonly Entry[]): ValueChange[] =>
  entries
    .filter(({ dataType }) => dataType === 'product')
    .flatMap(({ changes = [], user = '' }) =>
      changes.flatMap(({ field = '', from, to }) => {
        const [, key, locale = ''] = /^vals\.([^.]+)(?:\.(.+))?$/.exec(field) ?? []
        return key === undefined ? [] : [{ key, locale, from: toText(from), to: toText(to), user }]
      }),
    )

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.map(toText).join(', ') : String(value)

const mostChanges = 30

function Changes({ changes }: { changes: readonly ValueChange[] }) {
  const t = useTexts(texts)
  const attributes = useAttributes()
  const localeName = useLocaleName()
  if (changes.length === 0) return null
  return (
    <section aria-label={t('changes')}>
      <Title order={3} mb={4}>
        {t('changes')}
      </Title>
      <List size="sm" listStyleType="none">
        {changes.slice(0, mostChanges).map(({ key, locale, from, to, user }, i) => (
          <List.Item key={i}>
            <Text span size="sm" fw={550}>
              {attributes.get(key)?.label ?? key}
              {locale && `, ${localeName(locale)}`}
            </Text>
            : {from && <span className={classes.former}>{from}</span>} {to || t('empty')}{' '}
            <Text span size="xs" c="dimmed">
              {user}
            </Text>
          </List.Item>
        ))}
      </List>
    </section>
  )
}

/** The required values that the product lacks in the language of the task; each leads to its field. */
function Missing({ tid, locale }: { tid: string; locale: string }) {
  const t = useTexts(texts)
  const { cm } = useClient()
  const attributes = useAttributes()
  const { data } = useQuery({
    queryKey: ['completeness', 'product', tid, []],
    queryFn: async () => (await cm.retrieveReadiness({ body: { productTids: [tid] } })).objects ?? [],
  })
  const missing = data?.[0]?.locales?.find((one) => one.locale === locale)?.missingValues ?? []
  if (missing.length === 0) return null
  return (
    <Alert color="amber" p="xs" mb="sm" title={t('missingValues', { count: missing.length })}>
      {missing.slice(0, 20).map(({ attr = '' }, i) => (
        <span key={attr}>
          {i > 0 && ', '}
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/products/$tid" params={{ tid }} search={{ loc: locale, at: attr }} {...props} />
            )}
          >
            {attributes.get(attr)?.label ?? attr}
          </Anchor>
        </span>
      ))}
    </Alert>
  )
}
