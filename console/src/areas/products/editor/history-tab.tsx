/** The history of a product, newest first. A former value can be restored into the draft. */
import { ActionIcon, Badge, Button, Code, Group, Stack, Text, Timeline, Tooltip } from '@mantine/core'
import { IconHistory, IconPencil, IconPlus, IconRestore, IconTrash } from '@tabler/icons-react'
import type { Infer, ProductHistoryEntry } from '@kontor/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { useLocaleName } from '../../../object/locales.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import type { Texts } from '../../../object/values/draft.ts'
import { useUnitText } from '../../../object/values/reader-units.ts'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { actionIn } from './action-names.ts'
import { allOf, type Item } from './product.ts'
import { texts } from './texts.ts'
import type { ProductDraft } from './use-product.ts'
import classes from './editor.module.css'

type Entry = Infer<typeof ProductHistoryEntry>
type Change = NonNullable<Entry['changes']>[number]

interface HistoryTabProps {
  readonly root: Item
  readonly draft: ProductDraft
  readonly attributes: ReadonlyMap<string, Attribute>
}

export function HistoryTab({ root, draft, attributes }: HistoryTabProps) {
  const t = useTexts(texts)
  const { pim } = useClient()
  const history = useInfiniteQuery({
    queryKey: ['products', 'history', root.tid],
    queryFn: async ({ pageParam }) =>
      (await pim.productHistory({ body: { tid: root.tid, count: 50, ...(pageParam && { before: pageParam }) } }))
        .entries ?? [],
    initialPageParam: undefined as Entry['id'],
    getNextPageParam: (last) => (last.length === 50 ? last.at(-1)?.id : undefined),
  })
  return (
    <Loaded query={history}>
      {({ pages }) =>
        pages[0]?.length === 0 ? (
          <Empty icon={IconHistory} title={t('noHistory')} />
        ) : (
          <Stack p="md">
            <Timeline bulletSize={26} lineWidth={2}>
              {pages.flat().map((entry) => (
                <Timeline.Item key={String(entry.id)} bullet={bulletOf(entry)} title={<Title entry={entry} />}>
                  {(entry.changes ?? []).filter(isOfObject).map((change) => (
                    <ChangeLine
                      key={change.field}
                      entry={entry}
                      change={change}
                      root={root}
                      draft={draft}
                      attributes={attributes}
                    />
                  ))}
                </Timeline.Item>
              ))}
            </Timeline>
            {history.hasNextPage && (
              <Button
                variant="default"
                onClick={() => void history.fetchNextPage()}
                loading={history.isFetchingNextPage}
              >
                {t('more')}
              </Button>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** Changes of links show only the action, because their ends are other objects. */
const isOfObject = ({ field = '' }: Change) => /^(name|node|vals\.)/.test(field)

const bulletOf = ({ action }: Entry) =>
  action === 'create' ? (
    <IconPlus size={14} />
  ) : action === 'delete' ? (
    <IconTrash size={14} />
  ) : (
    <IconPencil size={14} />
  )

function Title({ entry }: { entry: Entry }) {
  const t = useTexts(texts)
  const format = useFormat()
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {t('changedBy', { user: entry.user ?? '', action: actionIn(t, entry.action) })}
      </Text>
      {entry.rule !== undefined && (
        <Badge variant="light" tt="none">
          {t('byRule', { rule: entry.rule })}
        </Badge>
      )}
      <Badge variant="light" color="gray" tt="none">
        {entry.name}
      </Badge>
      <Text size="xs" c="dimmed" title={format.dateTime(entry.at!)}>
        {format.ago(entry.at!)}
      </Text>
    </Group>
  )
}

interface ChangeLineProps extends HistoryTabProps {
  readonly entry: Entry
  readonly change: Change
}

function ChangeLine({ entry, change: { field = '', from, to }, root, draft, attributes }: ChangeLineProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const localeName = useLocaleName()
  const unitText = useUnitText()
  const [, key, locale = ''] = /^vals\.([^.]+)(?:\.(.+))?$/.exec(field) ?? []
  const attribute = key === undefined ? undefined : attributes.get(key)
  const textOf = (value: unknown) => unitText(toText(value), attribute?.units)
  const item = allOf(root).find((one) => one.tid === entry.tid && levelOf(entry.dataType) === one.level)
  const restorable = key !== undefined && item && isTexts(from)
  const restore = () => {
    draft.write(item!, key!, locale, textsOfStored(from))
    notifyDone(t('restored'))
  }
  return (
    <Group gap="xs" align="baseline" wrap="nowrap" mt={4}>
      <Text size="sm" c="dimmed" w={180} truncate flex="none">
        {attribute
          ? `${attribute.label}${locale && `, ${localeName(locale)}`}`
          : (key ?? (field === 'node' ? t('category') : t('name')))}
      </Text>
      <Text size="sm" component="div" style={{ wordBreak: 'break-word' }}>
        <Code className={classes.former}>{textOf(from) || t('nothingThere')}</Code>
        {' → '}
        <Code style={{ color: 'var(--ink)' }}>{textOf(to) || t('nothingThere')}</Code>
      </Text>
      {restorable && (
        <Tooltip label={t('restore')}>
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={`${t('restore')}: ${attribute?.label ?? field} ${word('by')} ${entry.user}`}
            onClick={restore}
          >
            <IconRestore size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

const levelOf = (dataType: string | undefined) => (dataType === 'product' ? 'p' : dataType === 'article' ? 'a' : 'v')

/** A field can be set to a text, a list of texts or nothing. */
const isTexts = (value: unknown) =>
  value === undefined ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((one) => one === null || typeof one === 'string'))
const textsOfStored = (value: unknown): Texts =>
  value === undefined
    ? []
    : typeof value === 'string'
      ? [value]
      : (value as (string | null)[]).map((text) => text ?? '')
const toText = (value: unknown): string =>
  value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.map(toText).join(', ')
        : JSON.stringify(value)
