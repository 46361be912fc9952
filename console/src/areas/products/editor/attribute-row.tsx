/** An attribute of an item: its label with badges, and an editor per language. */
import { ActionIcon, Anchor, Badge, Group, Input, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconInfoCircle } from '@tabler/icons-react'
import { useLocaleName } from '../../../object/locales.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { displayTextOf, type ValMessage } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { GlossaryNotes, marked, useFinder } from './glossary.tsx'
import { isMissing } from './missing.ts'
import { isInherited, type Item } from './product.ts'
import { TableField } from './table-field.tsx'
import { texts } from './texts.ts'
import { TranslationNote } from './translation-note.tsx'
import type { ItemsDraft } from './use-product.ts'
import classes from './editor.module.css'

interface AttributeRowProps {
  readonly item: Item
  readonly attribute: Attribute
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly draft: ItemsDraft
  readonly locales: readonly string[]
  /** Why the server refused the value. */
  readonly error?: string | undefined
  /** The product, whose stale translations are marked. */
  readonly product?: string
}

export function AttributeRow({ item, attribute, attributes, draft, locales, error, product }: AttributeRowProps) {
  const val = item.vals.get(attribute.key)
  const needed = attribute.localized ? locales : ['']
  const written = needed.some((locale) => draft.isWritten(item, attribute.key, locale))
  return (
    <div
      className={classes.row}
      data-written={written || undefined}
      data-attribute={attribute.key}
      role="group"
      aria-label={attribute.label}
    >
      <Label item={item} attribute={attribute} val={val} draft={draft} locales={locales} />
      {attribute.dataType === 'table' ? (
        <div>
          <TableField item={item} table={attribute} attributes={attributes} draft={draft} locale={locales[0]!} />
          {error && <Input.Error role="alert">{error}</Input.Error>}
        </div>
      ) : (
        <div className={classes.values}>
          {needed.map((locale) => (
            <Editor
              key={locale}
              item={item}
              attribute={attribute}
              val={val}
              draft={draft}
              locale={locale}
              showLocale={needed.length > 1}
              source={locale === needed[0] ? undefined : needed[0]}
              error={error}
              product={product}
            />
          ))}
        </div>
      )}
    </div>
  )
}

interface PartProps extends Pick<AttributeRowProps, 'item' | 'attribute' | 'draft' | 'error'> {
  readonly val: ValMessage | undefined
}

function Editor({
  item,
  attribute,
  val,
  draft,
  locale,
  showLocale,
  source,
  error,
  product,
}: PartProps & { locale: string; showLocale: boolean; source: string | undefined; product: string | undefined }) {
  const t = useTexts(texts)
  const localeName = useLocaleName()
  const own = draft.texts(item, attribute.key, locale)
  const refusal = draft.refusal(attribute.key, locale)
  const inherited = isInherited(val) ? displayTextOf(val, locale) : ''
  const isProse = attribute.dataType === 'text' && !attribute.options && locale !== ''
  const isTranslated = product !== undefined && locale !== '' && (isProse || attribute.dataType === 'richtext')
  const find = useFinder(isProse ? locale : '')
  const isEmpty = !own.some(Boolean)
  const canCopy = source !== undefined && isEmpty && !refusal && draft.texts(item, attribute.key, source).some(Boolean)
  return (
    <div>
      {showLocale && (
        <Group className={classes.locale} gap={6}>
          {localeName(locale)}
          {canCopy && (
            <Anchor
              component="button"
              size="xs"
              aria-label={`${t('copySource', { locale: localeName(source!) })}: ${attribute.label}, ${localeName(locale)}`}
              onClick={() => draft.write(item, attribute.key, locale, draft.texts(item, attribute.key, source!))}
            >
              {t('copySource', { locale: localeName(source!) })}
            </Anchor>
          )}
        </Group>
      )}
      <ValueField
        attribute={attribute}
        texts={own}
        onChange={(texts) => draft.write(item, attribute.key, locale, texts)}
        placeholder={inherited}
        aria-label={locale ? `${attribute.label}, ${localeName(locale)}` : attribute.label}
        backdrop={isProse ? marked(find) : undefined}
        error={error}
        disabled={refusal !== undefined}
        {...(refusal && { title: t(refusals[refusal]) })}
      />
      {isProse && <GlossaryNotes text={own.join('\n')} find={find} />}
      {isTranslated && (
        <TranslationNote
          product={product}
          item={item}
          attribute={attribute}
          locale={locale}
          isEmpty={isEmpty}
          onTake={
            refusal === undefined && !attribute.readOnly
              ? (text) => draft.write(item, attribute.key, locale, [text])
              : undefined
          }
        />
      )}
    </div>
  )
}

const refusals = { object: 'mayNot', attribute: 'mayNotAttribute', locale: 'mayNotLocale' } as const

function Label({ item, attribute, val, draft, locales }: PartProps & { locales: readonly string[] }) {
  const t = useTexts(texts)
  const overridden = item.level !== 'p' && val !== undefined && !isInherited(val) && attribute.nodePath !== undefined
  const clear = () => {
    for (const locale of attribute.localized ? locales : ['']) draft.write(item, attribute.key, locale, [])
  }
  return (
    <div className={classes.label}>
      <Group gap={6} wrap="nowrap">
        <span title={attribute.key}>
          {attribute.label}
          {attribute.required && (
            <span className={classes.star} title={t('required')}>
              {' *'}
            </span>
          )}
        </span>
        {attribute.help && (
          <Tooltip label={attribute.help} multiline w={260}>
            <IconInfoCircle size={14} aria-label={attribute.help} role="img" />
          </Tooltip>
        )}
        {overridden && (
          <Tooltip label={t('reset')}>
            <ActionIcon size="xs" variant="subtle" aria-label={`${t('reset')}: ${attribute.label}`} onClick={clear}>
              <IconArrowBackUp size={13} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Group gap={4} mt={2}>
        {isInherited(val) && (
          <Text size="xs" c="dimmed">
            {t('inherited', { origin: originIn(t, val?.origin) })}
          </Text>
        )}
        {isMissing(item, draft, attribute, locales) && (
          <Badge size="xs" color="amber" variant="light">
            {t('missing')}
          </Badge>
        )}
        {attribute.readOnly && (
          <Badge size="xs" color="gray" variant="light">
            {t('readOnly')}
          </Badge>
        )}
      </Group>
    </div>
  )
}

type Origins = 'origin_product' | 'origin_article' | 'origin_default'
const originIn = (t: (key: Origins) => string, origin = 'default') =>
  t(`origin_${origin === 'product' || origin === 'article' ? origin : 'default'}`)
