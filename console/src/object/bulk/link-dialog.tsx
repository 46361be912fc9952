/** Links files to the products that their names contain. The server guesses the pattern; a live preview shows what it finds. */
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Infer, PatternGuess } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useClient } from '../client.tsx'
import { useAttributes } from '../model.ts'
import { LinkTypeInput } from './link-type-input.tsx'
import type { Operation } from './operations.ts'
import { PatternModal } from './pattern-preview.tsx'
import { patternTexts } from './pattern-texts.ts'
import { changesKey } from './use-changes.ts'
import type { Selection } from './use-live-preview.ts'

type Guess = Infer<typeof PatternGuess>
interface Role {
  readonly word: string
  readonly linkType: string
}
interface Draft {
  readonly template: string
  /** tid, name, article, or an attribute behind a colon. */
  readonly by: string
  readonly roles: readonly Role[]
  readonly linkType: string
}
const attributeMark = 'attribute:'
const fallback: Guess = { template: '{product}[_{role}][_{number}]', matchBy: 'tid' }

const toDraft = ({ template = '', matchBy = 'tid', attribute = '', roles = [] }: Guess): Draft => ({
  template,
  by: matchBy === 'attribute' ? attributeMark + attribute : matchBy,
  roles: roles.map(({ word = '', linkType = '' }) => ({ word, linkType })),
  linkType: '',
})

function toOperation({ template, by, roles, linkType }: Draft): Operation | undefined {
  if (!template.includes('{product}')) return undefined
  const complete = roles.filter((role) => role.word.trim() && role.linkType.trim())
  return {
    type: 'linkByName',
    template: template.trim(),
    ...(by.startsWith(attributeMark)
      ? { matchBy: 'attribute', attribute: by.slice(attributeMark.length) }
      : { matchBy: by as 'tid' | 'name' | 'article' }),
    ...(complete.length > 0 && { roles: complete.map((role) => ({ ...role })) }),
    ...(linkType.trim() && { linkType: linkType.trim() }),
  }
}

export function LinkDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const t = useTexts(patternTexts)
  const { changes } = useClient()
  const [edited, setDraft] = useState<Draft>()
  const query = useQuery({
    queryKey: [...changesKey, 'patterns', selection],
    queryFn: async () => changes.guessPatterns({ body: { selection: await selection() } }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const guesses = query.data?.guesses ?? []
  const draft = edited ?? toDraft(guesses[0] ?? fallback)
  return (
    <PatternModal
      of="linkByName"
      selection={selection}
      operation={query.isSuccess ? toOperation(draft) : undefined}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ examined = 0 }) => (
          <>
            {guesses.length > 0 ? (
              <Select
                label={t('guesses')}
                data={guesses.map((guess, i) => ({
                  value: String(i),
                  label: t('guess', {
                    template: guess.template ?? '',
                    count: Number(guess.matched),
                    total: Number(examined),
                  }),
                }))}
                value={String(
                  guesses.findIndex((guess) => guess.template === draft.template && toDraft(guess).by === draft.by),
                )}
                onChange={(value) =>
                  value && setDraft({ ...toDraft(guesses[Number(value)]!), linkType: draft.linkType })
                }
              />
            ) : (
              <Text size="sm">{t('noGuess')}</Text>
            )}
            <Fields draft={draft} onChange={setDraft} />
          </>
        )}
      </Loaded>
    </PatternModal>
  )
}

function Fields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const t = useTexts(patternTexts)
  const attributes = useAttributes()
  const set = (changed: Partial<Draft>) => onChange({ ...draft, ...changed })
  const identifiers = [...attributes.values()].filter(({ dataType }) => dataType === 'identifier')
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={t('pattern')}
          description={t('patternHint', { product: '{product}', role: '{role}', number: '{number}', any: '{any}' })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={2000}
          value={draft.template}
          onChange={({ currentTarget }) => set({ template: currentTarget.value })}
        />
        <Select
          label={t('matchBy')}
          data={[
            { value: 'tid', label: t('by_tid') },
            { value: 'name', label: t('by_name') },
            { value: 'article', label: t('by_article') },
            ...identifiers.map(({ key, label }) => ({ value: attributeMark + key, label })),
          ]}
          value={draft.by}
          onChange={(by) => set({ by: by ?? 'tid' })}
          allowDeselect={false}
        />
        <LinkTypeInput
          kind="file"
          label={t('defaultType')}
          value={draft.linkType}
          onChange={(linkType) => set({ linkType })}
        />
      </Group>
      {draft.template.includes('{role}') && <Roles roles={draft.roles} onChange={(roles) => set({ roles })} />}
    </>
  )
}

function Roles({ roles, onChange }: { roles: readonly Role[]; onChange: (roles: readonly Role[]) => void }) {
  const t = useTexts(patternTexts)
  return (
    <Stack gap="xs" role="group" aria-label={t('roles')}>
      {roles.map((role, i) => (
        <Group key={i} align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('word')}
            maxLength={100}
            value={role.word}
            onChange={({ currentTarget }) => onChange(roles.with(i, { ...role, word: currentTarget.value }))}
          />
          <LinkTypeInput
            flex={1}
            kind="file"
            label={t('linkType')}
            value={role.linkType}
            onChange={(linkType) => onChange(roles.with(i, { ...role, linkType }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={t('removeRole', { word: role.word })}
            onClick={() => onChange(roles.toSpliced(i, 1))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="subtle"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={16} />}
        onClick={() => onChange([...roles, { word: '', linkType: '' }])}
      >
        {t('addRole')}
      </Button>
    </Stack>
  )
}
