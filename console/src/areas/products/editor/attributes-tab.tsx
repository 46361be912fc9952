/**
 * The values of the selected product, article or variation under the headings of their groups, and otherwise of the category
 * that defines the attribute, with languages side by side.
 */
import { Anchor, Badge, Button, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { IconArrowDown, IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { inGroups, useAttributeGroups } from '../../../object/attribute-groups.ts'
import { useContentLocale, useContentLocales } from '../../../object/locales.ts'
import { namesOfPath, toNodeTree, useClassificationTree } from '../../../object/model.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { Empty } from '../../../ui/states.tsx'
import { IconListDetails } from '@tabler/icons-react'
import { AttributeRow } from './attribute-row.tsx'
import { isMissing, isUntranslated } from './missing.ts'
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
  const [onlyUntranslated, setOnlyUntranslated] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const visibleLocales = fields.with ? [...new Set([locale, ...fields.with.split(',')])] : [locale]
  const columns = new Set([...attributes.values()].flatMap((attribute) => attribute.columns))
  const here = [...attributes.values()].filter(
    (attribute) =>
      !columns.has(attribute.key) &&
      (attribute.nodePath ? attribute.levels.includes(item.level) : hasValue(item, attribute)),
  )
  const missing = here.filter((attribute) => isMissing(item, draft, attribute, visibleLocales))
  const filter = text.trim().toLocaleLowerCase()
  const untranslated = here.filter((attribute) => isUntranslated(item, draft, attribute, visibleLocales))
  const visible = (fields.missing ? missing : here)
    .filter((attribute) => !onlyUntranslated || untranslated.includes(attribute))
    .filter(({ key, label }) => `${label} ${key}`.toLocaleLowerCase().includes(filter))
  const { groups, titleOf } = useSections(visible, locale)
  const lacking = visible.filter((one) => missing.includes(one) || untranslated.includes(one)).map(({ key }) => key)
  const goToNext = useJumps(
    page,
    groups.flatMap(([, group]) => group.map(({ key }) => key)),
    lacking,
    visibleLocales.length > 1,
  )
  return (
    <div ref={page}>
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
        {visibleLocales.length > 1 && (
          <Checkbox
            size="xs"
            label={t('onlyUntranslated')}
            checked={onlyUntranslated}
            onChange={({ currentTarget }) => setOnlyUntranslated(currentTarget.checked)}
          />
        )}
        {lacking.length > 0 && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowDown size={14} />}
            // The button does not take the focus, because the next field is the one after the focused one.
            onMouseDown={(event) => event.preventDefault()}
            onClick={goToNext}
          >
            {t('nextMissing')}
          </Button>
        )}
        {draft.refusal('', '') === 'object' && (
          <Badge ml="auto" variant="light" color="gray" tt="none">
            {t('mayNot')}
          </Badge>
        )}
        <Badge ml="auto" variant="light" color={missing.length > 0 ? 'amber' : 'teal'} tt="none">
          {missing.length > 0 ? t('missingCount', { count: missing.length }) : t('complete')}
        </Badge>
      </div>
      <JumpList page={page} paths={groups.map(([path]) => path)} titleOf={titleOf} />
      {here.length === 0 && (
        <Empty icon={IconListDetails} title={t('noAttributes')}>
          {t('noAttributesHint')}
        </Empty>
      )}
      {groups.map(([path, group]) => (
        <section key={path} data-section={path} className={classes.section} aria-label={titleOf(path)}>
          <div className={classes.group}>
            <h2>{titleOf(path)}</h2>
          </div>
          {group.map((attribute) => (
            <AttributeRow
              key={attribute.key}
              item={item}
              attribute={attribute}
              attributes={attributes}
              draft={draft}
              locales={visibleLocales}
              product={draft.root.tid}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

/** The attributes by group; those without a group by the category that has them. */
function useSections(visible: readonly Attribute[], locale: string) {
  const t = useTexts(texts)
  const { data: nodes = [] } = useClassificationTree()
  const tree = toNodeTree(nodes, locale, () => '')
  const { grouped, others } = inGroups(useAttributeGroups(), visible)
  const titles = new Map(grouped.map(([{ tid, label }]) => [`group ${tid}`, label]))
  const groups: readonly (readonly [string, readonly Attribute[]])[] = [
    ...grouped.map(([{ tid }, members]) => [`group ${tid}`, members] as const),
    ...Map.groupBy(others, ({ nodePath }) => nodePath ?? ''),
  ]
  const titleOf = (path: string) =>
    titles.get(path) ?? (path ? t('node', { node: namesOfPath(tree, path, locale).join(' › ') }) : t('other'))
  return { groups, titleOf }
}

type PageRef = RefObject<HTMLDivElement | null>

/** Returns a function that goes to the missing value after the focused one, and follows links to a value. */
function useJumps(page: PageRef, order: readonly string[], lacking: readonly string[], emptyFirst: boolean) {
  const [{ at }, change] = useUrlState()
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (at === undefined || !focusAttribute(page.current, at)) return
    change({ at: undefined })
  }, [page, at, change, order.length]) // after a link from another page, the attributes may still be loading
  return () => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-attribute]')
    const from = order.indexOf(focused?.dataset['attribute'] ?? last.current ?? '')
    last.current = lacking.find((key) => order.indexOf(key) > from) ?? lacking[0]
    if (last.current !== undefined) focusAttribute(page.current, last.current, emptyFirst)
  }
}

interface JumpListProps {
  readonly page: PageRef
  readonly paths: readonly string[]
  readonly titleOf: (path: string) => string
}

/** Links to the sections of the page. */
function JumpList({ page, paths, titleOf }: JumpListProps) {
  const t = useTexts(texts)
  if (paths.length < 2) return null
  return (
    <nav className={classes.jumps} aria-label={t('sections')}>
      {paths.map((path) => (
        <Anchor
          key={path}
          component="button"
          size="xs"
          onClick={() => page.current?.querySelector(`[data-section="${CSS.escape(path)}"]`)?.scrollIntoView()}
        >
          {titleOf(path)}
        </Anchor>
      ))}
    </nav>
  )
}

/** Moves the focus to the field of an attribute; of several languages, to the first one that is empty. */
/** Returns whether the attribute has a field on the page. */
function focusAttribute(page: HTMLElement | null, key: string, emptyFirst = false): boolean {
  const row = page?.querySelector(`[data-attribute="${CSS.escape(key)}"]`)
  const inputs = [...(row?.querySelectorAll<HTMLInputElement>('.mantine-Input-input, textarea, input') ?? [])]
  const input = (emptyFirst && inputs.find(({ value }) => value === '')) || inputs[0]
  row?.scrollIntoView({ block: 'center' })
  input?.focus()
  return input !== undefined
}
