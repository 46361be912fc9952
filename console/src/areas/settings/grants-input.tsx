/**
 * The permissions of a role. Each one is a kind of object with the actions allowed on it, optionally only in parts of the
 * trees, for some attributes and for some languages. Everything is chosen, so nothing unknown can be entered.
 */
import { ActionIcon, Button, Checkbox, CloseButton, Group, Paper, Select, Stack } from '@mantine/core'
import type { Infer, NameRule, RoleGrant } from '@kontor/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Picker } from '../../object/picker.tsx'
import type { PickerKind } from '../../object/picker-sources.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { grantTexts } from './grant-texts.ts'
import { texts } from './texts.ts'
import { type RuleName, trees, withRule, withScope } from './scopes.ts'

type Grant = Infer<typeof RoleGrant>
type Rule = Infer<typeof NameRule>

const actions = ['read', 'create', 'update', 'delete', 'link', 'checkout', 'administer'] as const
const kinds = [
  ['*'],
  ['product', 'article', 'variant', 'link'],
  ['classification', 'node', 'attribute', 'attrDefinition', 'template'],
  ['asset', 'dir', 'version', 'rnc'],
  ['project', 'projectTypes', 'peo'],
  ['keyword', 'glossary', 'glossaryEntry', 'locale'],
  ['workflow', 'message', 'feed', 'searchHistory'],
].flat() as (keyof typeof grantTexts.en & string)[]

const pickerOf = { node: 'category', dir: 'folder', channel: 'channelPath', keyword: 'keyword' } as const
const rules: readonly [RuleName, PickerKind][] = [
  ['visibleAttributes', 'attribute'],
  ['editableAttributes', 'attribute'],
  ['visibleLocales', 'locale'],
  ['editableLocales', 'locale'],
]

interface GrantsInputProps {
  readonly value: readonly Grant[]
  readonly onChange: (value: Grant[]) => void
}

export function GrantsInput({ value, onChange }: GrantsInputProps) {
  const w = useTexts(commonTexts)
  return (
    <Stack>
      {value.map((grant, index) => (
        <GrantInput
          key={index}
          grant={grant}
          onChange={(changed) => onChange(value.with(index, changed))}
          onRemove={() => onChange(value.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="light"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...value, { kind: 'product', actions: ['read'] }])}
        >
          {w('add')}
        </Button>
      </Group>
    </Stack>
  )
}

interface GrantInputProps {
  readonly grant: Grant
  readonly onChange: (grant: Grant) => void
  readonly onRemove: () => void
}

function GrantInput({ grant, onChange, onRemove }: GrantInputProps) {
  const t = useTexts(texts)
  const g = useTexts(grantTexts)
  const w = useTexts(commonTexts)
  const hasValues = ['*', 'product', 'article', 'variant', 'asset', 'project', 'peo'].includes(grant.kind)
  return (
    <Paper p="sm" withBorder>
      <Group align="flex-end" wrap="nowrap">
        <Select
          label={t('kind')}
          data={kinds.map((kind) => ({ value: kind, label: g(kind) }))}
          value={grant.kind}
          allowDeselect={false}
          searchable
          w={220}
          onChange={(kind) => kind && onChange({ ...grant, kind })}
        />
        <Actions value={grant.actions} onChange={(allowed) => onChange({ ...grant, actions: allowed })} />
        <ActionIcon variant="subtle" color="red" aria-label={w('remove')} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Group grow mt="xs" align="flex-start">
        {trees.map((tree) => (
          <Limit
            key={tree}
            kind={pickerOf[tree]}
            label={t(`within_${tree}`)}
            none={t('withinNothing')}
            value={grant.scopes?.[tree]}
            onChange={(paths) => onChange(withScope(grant, tree, paths))}
          />
        ))}
      </Group>
      {hasValues && (
        <Group grow mt="xs" align="flex-start">
          {rules.map(([name, kind]) => (
            <RuleInput
              key={name}
              kind={kind}
              label={g(name)}
              value={grant[name]}
              onChange={(rule) => onChange(withRule(grant, name, rule))}
            />
          ))}
        </Group>
      )}
    </Paper>
  )
}

/** `*` means all actions, also those to come. */
function Actions({ value, onChange }: { value: readonly string[]; onChange: (value: string[]) => void }) {
  const g = useTexts(grantTexts)
  const t = useTexts(texts)
  const isAll = value.includes('*')
  return (
    <Group role="group" aria-label={t('actions')} gap="sm" flex={1} pb={8}>
      <Checkbox label={g('allActions')} checked={isAll} onChange={() => onChange(isAll ? ['read'] : ['*'])} />
      {actions.map((action) => (
        <Checkbox
          key={action}
          label={g(action === 'link' ? 'linkAction' : action)}
          checked={isAll || value.includes(action)}
          disabled={isAll}
          onChange={() => onChange(value.includes(action) ? value.filter((one) => one !== action) : [...value, action])}
        />
      ))}
    </Group>
  )
}

interface LimitProps {
  readonly kind: PickerKind
  readonly label: string
  /** The meaning of an empty limit. */
  readonly none: string
  readonly value: readonly string[] | undefined
  /** undefined removes the limit. */
  readonly onChange: (value: string[] | undefined) => void
}

function Limit({ kind, label, none, value, onChange }: LimitProps) {
  const t = useTexts(texts)
  return (
    <Picker
      kind={kind}
      label={label}
      {...(value?.length === 0 && { description: none })}
      {...(!value && { placeholder: t('everything') })}
      value={value ?? []}
      onChange={onChange}
      rightSection={
        value && (
          <CloseButton size="sm" aria-label={`${t('removeLimit')}: ${label}`} onClick={() => onChange(undefined)} />
        )
      }
    />
  )
}

interface RuleInputProps {
  readonly kind: PickerKind
  readonly label: string
  readonly value: Rule | undefined
  /** undefined removes the limit. */
  readonly onChange: (rule: Rule | undefined) => void
}

/** All names, only some, or all except some. */
function RuleInput({ kind, label, value, onChange }: RuleInputProps) {
  const g = useTexts(grantTexts)
  const mode = value?.only ? 'only' : value?.except ? 'except' : 'all'
  const names = value?.only ?? value?.except ?? []
  const set = (next: typeof mode, chosen: readonly string[]) =>
    onChange(next === 'all' ? undefined : { [next]: [...chosen] })
  return (
    <Stack gap={4}>
      <Select
        label={label}
        data={(['all', 'only', 'except'] as const).map((one) => ({ value: one, label: g(one) }))}
        value={mode}
        allowDeselect={false}
        onChange={(next) => set((next ?? 'all') as typeof mode, names)}
      />
      {mode !== 'all' && (
        <Picker
          kind={kind}
          aria-label={`${label}: ${g(mode)}`}
          value={names}
          onChange={(chosen) => set(mode, chosen)}
        />
      )}
    </Stack>
  )
}
