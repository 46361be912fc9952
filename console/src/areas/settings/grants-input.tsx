/** The permissions of a role: a kind of object and the actions allowed on it, optionally only within subtrees. */
import { ActionIcon, Button, CloseButton, Group, MultiSelect, Paper, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Infer, RoleGrant } from '@kontor/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import { trees, withScope } from './scopes.ts'

type Grant = Infer<typeof RoleGrant>
const actions = ['*', 'read', 'create', 'update', 'delete', 'link', 'checkout', 'administer']

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
  const w = useTexts(commonTexts)
  return (
    <Paper p="sm">
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          label={t('kind')}
          value={grant.kind}
          w={160}
          onChange={(event) => onChange({ ...grant, kind: event.currentTarget.value })}
        />
        <MultiSelect
          label={t('actions')}
          flex={1}
          data={actions}
          value={grant.actions}
          onChange={(allowed) => onChange({ ...grant, actions: allowed })}
        />
        <ActionIcon variant="subtle" color="red" aria-label={w('remove')} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Group grow mt="xs">
        {trees.map((tree) => (
          <TagsInput
            key={tree}
            label={t(`within_${tree}`)}
            description={grant.scopes?.[tree]?.length === 0 && t('withinNothing')}
            inputWrapperOrder={['label', 'input', 'description']}
            placeholder={grant.scopes?.[tree] ? undefined : t('everything')}
            value={grant.scopes?.[tree] ?? []}
            onChange={(paths) => onChange(withScope(grant, tree, paths))}
            rightSection={
              grant.scopes?.[tree] && (
                <CloseButton
                  size="sm"
                  aria-label={`${t('removeLimit')}: ${t(`within_${tree}`)}`}
                  onClick={() => onChange(withScope(grant, tree, undefined))}
                />
              )
            }
          />
        ))}
      </Group>
    </Paper>
  )
}
