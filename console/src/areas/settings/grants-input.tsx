/**
 * The permissions of a role: blocks of permissions, each a table of kinds × actions, optionally only in parts of the trees,
 * for some attributes and for some languages. Everything is chosen, so nothing unknown can be entered.
 */
import { Button, CloseButton, Group, Paper, Select, SimpleGrid, Stack, Title } from '@mantine/core'
import type { AttributeRule, Infer } from '@kontor/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Picker } from '../../object/picker.tsx'
import type { PickerKind } from '../../object/picker-sources.ts'
import { useTexts } from '../../ui/language.tsx'
import { type Block, noLimits } from './blocks.ts'
import { GrantTable } from './grant-table.tsx'
import { grantTexts } from './grant-texts.ts'
import { texts } from './texts.ts'
import { type RuleName, trees, withRule, withScope } from './scopes.ts'

type Rule = Infer<typeof AttributeRule>

const pickerOf = { node: 'category', dir: 'folder', channel: 'channelPath', keyword: 'keyword' } as const
const rules: readonly [RuleName, PickerKind][] = [
  ['visibleAttributes', 'anyAttribute'],
  ['editableAttributes', 'anyAttribute'],
  ['visibleLocales', 'locale'],
  ['editableLocales', 'locale'],
]

interface GrantsInputProps {
  readonly value: readonly Block[]
  readonly onChange: (value: Block[]) => void
}

export function GrantsInput({ value, onChange }: GrantsInputProps) {
  const g = useTexts(grantTexts)
  return (
    <Stack>
      {value.map((block, index) => (
        <BlockInput
          key={index}
          block={block}
          title={value.length > 1 ? g('block', { number: index + 1 }) : g('permissions')}
          onChange={(changed) => onChange(value.with(index, changed))}
          onRemove={value.length > 1 ? () => onChange(value.toSpliced(index, 1)) : undefined}
        />
      ))}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => onChange([...value, noLimits])}>
          {g('addBlock')}
        </Button>
      </Group>
    </Stack>
  )
}

interface BlockInputProps {
  readonly block: Block
  readonly title: string
  readonly onChange: (block: Block) => void
  readonly onRemove: (() => void) | undefined
}

function BlockInput({ block, title, onChange, onRemove }: BlockInputProps) {
  const t = useTexts(texts)
  const g = useTexts(grantTexts)
  const { limits } = block
  return (
    <Paper p="sm" withBorder component="section" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h5">
          {title}
        </Title>
        {onRemove && (
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={onRemove}
          >
            {g('removeBlock')}
          </Button>
        )}
      </Group>
      <GrantTable block={block} label={title} onChange={onChange} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} mt="sm" spacing="sm">
        {trees.map((tree) => (
          <Limit
            key={tree}
            kind={pickerOf[tree]}
            label={t(`within_${tree}`)}
            none={t('withinNothing')}
            value={limits.scopes?.[tree]}
            onChange={(paths) => onChange({ ...block, limits: withScope(limits, tree, paths) })}
          />
        ))}
        {rules.map(([name, kind]) => (
          <RuleInput
            key={name}
            kind={kind}
            label={g(name)}
            value={limits[name]}
            onChange={(rule) => onChange({ ...block, limits: withRule(limits, name, rule) })}
          />
        ))}
      </SimpleGrid>
    </Paper>
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
  const { only, except, onlyGroups, exceptGroups } = value ?? {}
  const mode = (only ?? onlyGroups) ? 'only' : (except ?? exceptGroups) ? 'except' : 'all'
  const names = only ?? except ?? []
  const groups = onlyGroups ?? exceptGroups ?? []
  const set = (next: typeof mode, chosen: readonly string[], chosenGroups: readonly string[] = groups) =>
    onChange(
      next === 'all'
        ? undefined
        : { [next]: [...chosen], ...(chosenGroups.length > 0 && { [`${next}Groups`]: [...chosenGroups] }) },
    )
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
      {mode !== 'all' && kind === 'anyAttribute' && (
        <Picker
          kind="attributeGroup"
          aria-label={`${label}: ${g(mode)}, ${g('attributeGroups')}`}
          placeholder={groups.length > 0 ? '' : g('attributeGroups')}
          value={groups}
          onChange={(chosen) => set(mode, names, chosen)}
        />
      )}
    </Stack>
  )
}
