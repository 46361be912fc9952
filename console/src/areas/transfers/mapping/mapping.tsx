/** The mapping of a table: each column with its target and what its cells become, and the notation of the file. */
import { Alert, Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconArrowRight, IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { useModelChange } from '../../../object/model-change.ts'
import { askName } from '../../../ui/ask-name.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { PreviewRows } from '../preview.tsx'
import { useTransferChange } from '../use-transfers.ts'
import { withColumn } from './attribute-column.ts'
import { AddColumn, ConstantRow, RemoveColumn } from './added-columns.tsx'
import { AttributeForm, FirstCategory } from './new-model.tsx'
import { Settings } from './settings.tsx'
import { TargetCell } from './target-cell.tsx'
import { texts } from './texts.ts'
import type { Column, MappedColumn, MappingState, Profile } from './use-mapping.ts'
import { storedText } from '../../../object/stored-text.ts'

/** Less sure guesses are marked. */
const sure = 0.8

export function Mapping({ mapping }: { readonly mapping: MappingState }) {
  const t = useTexts(texts)
  const { query, profile, edit } = mapping
  const removeColumn = (column: string) =>
    void edit({ ...profile, columns: (profile.columns ?? []).filter((one) => one.column !== column) })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3}>{t('title')}</Title>
        <SaveProfile mapping={mapping} />
      </Group>
      <Loaded query={query}>
        {({ profile: read, columns = [], rows = [], sheets = [] }) => (
          <Stack>
            <FirstCategory mapping={mapping} />
            <Settings profile={profile} sheets={sheets} onChange={(next) => void edit(next)} />
            <Table.ScrollContainer minWidth={700}>
              <Table verticalSpacing="xs" aria-label={t('title')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('column')}</Table.Th>
                    <Table.Th w="48%">{t('target')}</Table.Th>
                    <Table.Th>{t('samples')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {columns.slice(0, columns.length - constantsOf(read)).map((one, i) => (
                    <ColumnRow
                      key={`${i} ${one.column}`}
                      column={one}
                      mapping={mapping}
                      onChange={(target) => void edit(withColumn(profile, target))}
                      onRemove={removeColumn}
                    />
                  ))}
                  {columns.slice(columns.length - constantsOf(read)).map((one) => (
                    <ConstantRow key={one.column} column={one} profile={profile} onChange={(next) => void edit(next)} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <AddColumn
              profile={profile}
              taken={columns.flatMap(({ column }) => column ?? [])}
              onChange={(next) => void edit(next)}
            />
            <div>
              <Title order={3} mb="xs">
                {t('rows')}
              </Title>
              <PreviewRows rows={rows} />
            </div>
          </Stack>
        )}
      </Loaded>
    </section>
  )
}

/** The number of constants, whose columns are the last ones. */
const constantsOf = ({ constants = {} }: Profile = {}) => Object.keys(constants).length

interface ColumnRowProps {
  readonly column: MappedColumn
  readonly mapping: MappingState
  readonly onChange: (target: Column) => void
  readonly onRemove: (column: string) => void
}

function ColumnRow({ column, mapping, onChange, onRemove }: ColumnRowProps) {
  const t = useTexts(texts)
  const { mayDefine } = useModelChange()
  const [isCreating, setCreating] = useState(false)
  const { column: heading = '', samples = [], fault, confidence = 1, reason } = column
  const target = mapping.profile.columns?.find((one) => one.column === heading)
  // A person has decided since the guess.
  const isGuess = target?.field === column.target?.field && target?.attr === column.target?.attr
  // The file has no cells of a column that its template fills.
  const isAdded = target?.template !== undefined && samples.every(({ cell = '' }) => cell === '')
  const isUnsure = isGuess && confidence < sure && reason !== 'profile' && target?.field !== 'ignore'
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {heading}
        {isUnsure && (
          <Badge variant="light" color="amber" tt="none" ml="xs">
            {t('unsure')}
          </Badge>
        )}
      </Table.Th>
      <Table.Td>
        <Group gap="xs">
          <TargetCell
            heading={heading}
            target={target}
            isAdded={isAdded}
            onCreate={mayDefine ? () => setCreating(true) : undefined}
            onChange={onChange}
          />
          {isAdded && <RemoveColumn heading={heading} onRemove={() => onRemove(heading)} />}
        </Group>
        {isCreating && (
          <AttributeForm column={column} target={target} mapping={mapping} onClose={() => setCreating(false)} />
        )}
        {fault !== undefined && (
          <Alert color="red" p={6} mt={4}>
            {storedText(fault)}
          </Alert>
        )}
      </Table.Td>
      <Table.Td>
        {target?.field === 'ignore'
          ? samples.slice(0, 2).map(({ cell = '' }) => (
              <Text key={cell} size="sm" c="dimmed" truncate maw={260}>
                {cell}
              </Text>
            ))
          : samples.map((sample) => <SampleText key={`${sample.cell} ${sample.value}`} sample={sample} />)}
      </Table.Td>
    </Table.Tr>
  )
}

/** Old → new, if that differs. */
function SampleText({ sample }: { readonly sample: NonNullable<MappedColumn['samples']>[number] }) {
  const t = useTexts(texts)
  const { cell = '', value = '', fault } = sample
  if (fault !== undefined)
    return (
      <Alert color="red" p={6}>
        {cell}: {storedText(fault)}
      </Alert>
    )
  if (cell === value || cell === '')
    return (
      <Text size="sm" truncate maw={260}>
        {value}
      </Text>
    )
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" truncate maw={140}>
        {cell}
      </Text>
      <IconArrowRight size={14} aria-label={t('becomes')} role="img" />
      <Text size="sm" fw={600} truncate maw={160}>
        {value}
      </Text>
    </Group>
  )
}

function SaveProfile({ mapping: { profile, isBusy } }: { readonly mapping: MappingState }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { transfers } = useClient()
  const change = useTransferChange()
  const save = (name: string) =>
    change(async () => {
      await transfers.putProfile({ params: { name }, body: { ...profile, name } })
      notifyDone(t('saved', { name }))
    })
  return (
    <Button
      variant="default"
      leftSection={<IconDeviceFloppy size={16} />}
      disabled={isBusy}
      onClick={() =>
        askName(
          { title: t('save'), label: t('profileName'), confirm: w('save'), cancel: w('cancel') },
          (name) => void save(name),
        )
      }
    >
      {t('save')}
    </Button>
  )
}
